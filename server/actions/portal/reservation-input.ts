import { Invalid, type Problem } from "../../base/errors.ts";
import type { Period } from "../../business-time/active-time.ts";
import { day, type Moment, parseDayNumber } from "../../business-time/moment.ts";
import type { Zone } from "../../business-time/zone.ts";
import { isStorable } from "../../engine/kinds/kind.ts";

// The portal's input for a reservation.

export type Repeat = { every: "day" | "week"; until: number };
export type Wanted = {
  offering: number;
  ci: number;
  start: Moment;
  end: Moment;
  name: string;
  note: string;
  template: number | null;
  customFields: unknown;
  /** `until`: the number of the last day */
  repeat: Repeat | null;
};

const maxOccurrences = 60;
const maxNote = 64_000;

/** 0: it is none. */
const parseId = (value: unknown): number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : 0;
const isNote = (value: unknown): value is string =>
  typeof value === "string" && value.length <= maxNote && isStorable(value);
const parseMoment = (value: unknown): Moment =>
  typeof value === "string" && /^[12]\d{3}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)
    ? Date.parse(value)
    : Number.NaN;

export function parseWanted(body: Readonly<Record<string, unknown>>): Wanted {
  const { note = "", custom_fields: customFields = null } = body;
  const [offering, ci] = [parseId(body.offering), parseId(body.ci)];
  const template = body.template == null ? null : parseId(body.template);
  const [start, end] = [parseMoment(body.start_at), parseMoment(body.end_at)];
  const name = typeof body.name === "string" ? body.name.trim() : "";
  const repeat = parseRepeat(body.repeat);
  const problems: Problem[] = [];
  if (offering === 0) problems.push(["offering", "is not valid"]);
  if (ci === 0) problems.push(["ci", "is not valid"]);
  if (Number.isNaN(start)) problems.push(["start_at", "is not valid"]);
  if (Number.isNaN(end) || end <= start) problems.push(["end_at", "is not valid"]);
  if (name === "") problems.push(["name", "can't be blank"]);
  else if (name.length > 128 || !isStorable(name)) problems.push(["name", "is not valid"]);
  if (template === 0) problems.push(["template", "is not valid"]);
  if (!isNote(note)) problems.push(["note", "is not valid"]);
  if (repeat === "invalid") problems.push(["repeat", "is not valid"]);
  if (problems.length > 0 || !isNote(note) || repeat === "invalid") throw new Invalid(problems);
  return { offering, ci, start, end, name, customFields, note: note.trim(), template, repeat };
}

function parseRepeat(value: unknown): Repeat | null | "invalid" {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return "invalid";
  const { every, until }: { every?: unknown; until?: unknown } = value;
  if (every !== "day" && every !== "week") return "invalid";
  if (typeof until !== "string" || !/^[12]\d{3}-\d\d-\d\d$/.test(until) || Number.isNaN(Date.parse(until)))
    return "invalid";
  return { every, until: parseDayNumber(until) };
}

/** The same wall-clock times every day or week, up to and including the last day. */
export function listOccurrences(zone: Zone, first: Period, { every, until }: Repeat): Period[] {
  const step = every === "day" ? 1 : 7;
  const firstDay = zone.dayAt(first.from);
  const count = Math.floor((until - firstDay) / step) + 1;
  if (count < 1 || count > maxOccurrences) throw new Invalid([["repeat", "is not valid"]]);
  const shift = (moment: Moment, days: number) => zone.momentAt(zone.wallAt(moment) + days * day);
  return Array.from({ length: count }, (_, index) => ({
    from: shift(first.from, index * step),
    until: shift(first.until, index * step),
  }));
}
