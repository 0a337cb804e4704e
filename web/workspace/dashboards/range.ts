import type { Query } from "../../api/index.ts";
import { readerZone } from "../../base/moments.ts";
import { addDays, dayLength, getWeekday } from "../time/days/calendar-day.ts";
import type { Source } from "./tile.ts";

// Ranges are whole days in the reader's zone, the last one being today. The API also reads a time without an offset in
// the reader's zone.

export const ranges = ["7", "14", "30", "90"] as const;
export type RangeName = (typeof ranges)[number];
export const parseRange = (text: string | undefined): RangeName => ranges.find((each) => each === text) ?? "14";

export type Range = { from: string; until: string; every: "day" | "week" };

/** "2026-11-17" in the reader's zone. */
export const toDay = (at: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: readerZone(), dateStyle: "short" }).format(at);

export function buildRange(name: RangeName, now: number): Range {
  const until = toDay(now);
  const days = Number(name);
  return { from: addDays(until, 1 - days), until, every: days > 31 ? "week" : "day" };
}

/** The range of the same length right before. */
export function buildRangeBefore({ from, until, every }: Range): Range {
  const days = (Date.parse(until) - Date.parse(from)) / dayLength + 1;
  return { from: addDays(from, -days), until: addDays(from, -1), every };
}

/** The days or Mondays of the columns in a range. */
export function listPeriods({ from, until, every }: Range): string[] {
  const step = every === "day" ? 1 : 7;
  const first = every === "day" ? from : addDays(from, -getWeekday(from));
  const found: string[] = [];
  for (let day = first; day <= until; day = addDays(day, step)) found.push(day);
  return found;
}

const isDay = (field: string): boolean => field === "date";
export const writePeriod = (field: string, { from, until }: Pick<Range, "from" | "until">): string =>
  isDay(field) ? `>=${from}<=${until}` : `>=${from}T00:00:00<=${until}T23:59:59`;

/** The number of days before today at which each age class begins; the oldest first. */
const ages = [30, 7, 3, 0];
export const ageNames = ["older", "month", "week", "days", "today"] as const;

export type Choice = { range: Range; team: string | undefined };

export const buildFilters = (
  { filters = {}, within, ofNoTeam }: Pick<Source, "filters" | "within" | "ofNoTeam">,
  { range, team }: Choice,
): Query => ({
  ...filters,
  ...(within === undefined ? {} : { [within]: writePeriod(within, range) }),
  ...(team === undefined || ofNoTeam ? {} : { team }),
});

/** The parameters of a source's summary call. */
export function buildSummaryQuery(source: Source, choice: Choice, isGrouped = true): Query {
  const { by, thenBy, periods, measure } = source;
  const today = choice.range.until;
  return {
    ...buildFilters(source, choice),
    ...(measure === undefined ? {} : { measure }),
    ...(by === undefined || !isGrouped ? {} : { by }),
    ...(thenBy === undefined || !isGrouped ? {} : { then_by: thenBy }),
    ...(periods === "range" && isGrouped ? { every: choice.range.every } : {}),
    ...(periods === "age" && isGrouped
      ? { bounds: ages.map((days) => `${addDays(today, -days)}T00:00:00`).join(",") }
      : {}),
  };
}
