import { ianaZone } from "../../fields/time/iana-zone.ts";
import type { ExplainedTargets } from "../../queries/record-page.ts";
import type { Hours } from "../../queries/workspace/services.ts";

// Lays a simulated request out on days: minutes of the day, in the agreement's time zone.

type Span = { start: number; end: number; kind: "running" | "stopped" };
type Mark = { minute: number; kind: "asked" | "respond" | "resolve" };
export type DayLane = { date: string; noon: number; spans: Span[]; marks: Mark[] };

const minutesOfDay = 24 * 60;
const maxDays = 10;

type Local = { date: string; weekday: string; minute: number };

function toLocal(at: number, zone: string): Local {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-CA", {
      ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", weekday: "short" },
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, weekday = "" } = parts;
  return {
    date: `${year}-${month}-${day}`,
    weekday: weekday.slice(0, 3).toLowerCase(),
    minute: Number(hour) * 60 + Number(minute),
  };
}

const parseMinute = (text: string, isEnd: boolean): number => {
  const [hour = 0, minute = 0] = text.split(":").map(Number);
  const total = hour * 60 + minute;
  return isEnd && total === 0 ? minutesOfDay : total;
};

/** Days from the request to its last target, at most ten, and the relevant part of the day. */
export function buildDays(
  { started_at, stopped, response, resolution, time_zone }: ExplainedTargets,
  hours: readonly Hours[],
): { days: DayLane[]; from: number; until: number } {
  const zone = ianaZone(time_zone);
  const start = Date.parse(started_at);
  const targets = [response.target_at, resolution.target_at].flatMap((moment) =>
    moment === null ? [] : [Date.parse(moment)],
  );
  const end = Math.max(start, ...targets);
  const local = (at: number) => toLocal(at, zone);
  const [first, last] = [local(start), local(end)];
  const days: DayLane[] = [];
  for (let noon = start; days.length < maxDays; noon += 86_400_000) {
    const { date, weekday } = local(noon);
    const within = (at: number): number => {
      const moment = local(at);
      return moment.date < date ? 0 : moment.date > date ? minutesOfDay : moment.minute;
    };
    const open =
      hours.length === 0
        ? [{ from: 0, until: minutesOfDay }]
        : hours
            .filter((entry) => entry.weekday.slice(0, 3).toLowerCase() === weekday)
            .map((entry) => ({
              from: parseMinute(entry.time_from, false),
              until: parseMinute(entry.time_until, true),
            }));
    const spans = open.flatMap((range) => {
      const running = cut({ start: within(start), end: within(end) }, range, "running");
      const stops = stopped.flatMap(({ from, to }) =>
        cut({ start: within(Date.parse(from)), end: within(to === null ? end : Date.parse(to)) }, range, "stopped"),
      );
      return [...running, ...stops];
    });
    const marks = (
      [
        ["asked", started_at],
        ["respond", response.target_at],
        ["resolve", resolution.target_at],
      ] as const
    ).flatMap(([kind, moment]) => {
      if (moment === null) return [];
      const at = local(Date.parse(moment));
      return at.date === date ? [{ kind, minute: at.minute }] : [];
    });
    if (spans.length + marks.length > 0) days.push({ date, noon, spans, marks });
    if (date >= last.date) break;
  }
  const minutes = days.flatMap(({ spans, marks }) => [
    ...spans.flatMap(({ start: one, end: other }) => [one, other]),
    ...marks.map(({ minute }) => minute),
    first.minute,
  ]);
  const opens = hours.map((entry) => parseMinute(entry.time_from, false));
  const closes = hours.map((entry) => parseMinute(entry.time_until, true));
  return {
    days,
    from: Math.floor(Math.min(...minutes, ...opens) / 60) * 60,
    until: Math.ceil(Math.max(...minutes, ...closes) / 60) * 60,
  };
}

function cut(
  { start, end }: { start: number; end: number },
  range: { from: number; until: number },
  kind: Span["kind"],
): Span[] {
  const span = { start: Math.max(start, range.from), end: Math.min(end, range.until), kind };
  return span.start < span.end ? [span] : [];
}
