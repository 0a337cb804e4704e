import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { summary as summaryAnswer } from "../../../records/answers/search.ts";
import { formatNumber } from "../../base/formats.ts";
import { formatMinutes } from "../../base/moments.ts";
import { formatPercent } from "../../base/percent.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { shortChoiceLabel } from "../../languages/labels.ts";
import { ageNames, type Choice, listPeriods } from "./range.ts";
import type { ChartTile, Format, Source } from "./tile.ts";

// Converts API responses to chart data for drawing, tables and exports: one format for all charts.

type Summary = AnswerOf<typeof summaryAnswer>;
type SummaryGroup = Summary["total"];

export type Cell = { value: number | null; count: number; query: string | null };
export type ChartRow = { key: string; label: string; cells: readonly Cell[] };
/** `series`: the names of a row's cells */
export type ChartData = {
  collection: string;
  series: readonly string[];
  rows: readonly ChartRow[];
  totals: readonly Cell[];
  format: Format;
};

const nothing: Cell = { value: 0, count: 0, query: null };
const toCell = ({ value, count, query }: SummaryGroup): Cell => ({ value, count, query });

const formatDay = (day: string, style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(currentLocale(), { ...style, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
export const shortDay = (day: string): string => formatDay(day, { day: "numeric" });
export const longDay = (day: string): string => formatDay(day, { weekday: "short", day: "numeric", month: "short" });

type Reference = { id: number | string; name?: string };
const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "id" in value;

const people: readonly (string | undefined)[] = ["member", "person", "manager"];

function labelValue(value: unknown, enumeration: string | undefined, by?: string): string {
  if (value === null || value === undefined) return t(people.includes(by) ? "dashboard.nobody" : "dashboard.none");
  if (isReference(value)) return value.name ?? `#${value.id}`;
  return enumeration === undefined ? String(value) : shortChoiceLabel(enumeration, String(value));
}
const readKey = (value: unknown): string => (isReference(value) ? `#${value.id}` : String(value));

/** The moment at which a group's period begins or ends; null: it is open there. */
function readPeriod(group: SummaryGroup, by: string, side: "from" | "until"): string | null {
  const period = group[by];
  const moment = typeof period === "object" && period !== null ? Reflect.get(period, side) : null;
  return typeof moment === "string" ? moment : null;
}
export const readStart = (group: SummaryGroup, by: string): string => readPeriod(group, by, "from")?.slice(0, 10) ?? "";

/** A row for each day or week of the range, including those with a count of zero. */
function buildPeriodRows(sources: ChartTile["sources"], summaries: readonly Summary[], { range }: Choice): ChartRow[] {
  const found = summaries.map(
    ({ groups }, at) => new Map(groups.map((group) => [readStart(group, sources[at]?.by ?? ""), toCell(group)])),
  );
  return listPeriods(range).map((day) => ({
    key: day,
    label: longDay(day),
    cells: found.map((cells) => cells.get(day) ?? nothing),
  }));
}

/** The oldest class has no beginning, so the API sorts classes by their ends. */
function buildAgeRows({ by = "" }: Source, { groups }: Summary, { range }: Choice): ChartRow[] {
  const indexOf = (group: SummaryGroup): number => {
    const until = readPeriod(group, by, "until");
    if (until === null) return ageNames.length - 1;
    const days = Math.round((Date.parse(range.until) - Date.parse(until.slice(0, 10))) / 86_400_000);
    return days >= 30 ? 0 : days >= 7 ? 1 : days >= 3 ? 2 : 3;
  };
  const found = new Map(groups.filter((group) => group[by] !== null).map((group) => [indexOf(group), toCell(group)]));
  return ageNames
    .map((name, at) => ({ key: name, label: t(`age.${name}`), cells: [found.get(at) ?? nothing] }))
    .reverse();
}

/** Two groupings: a row for each value of the first, a cell for each of the second. */
function buildMatrix(source: Source, { groups, total }: Summary): Pick<ChartData, "rows" | "series" | "totals"> {
  const [by, thenBy] = [source.by ?? "", source.thenBy ?? ""];
  const columns = [...new Map(groups.map((group) => [readKey(group[thenBy]), group[thenBy]])).entries()].sort(
    ([one], [other]) => rankImpact(one) - rankImpact(other),
  );
  const rows = [...new Map(groups.map((group) => [readKey(group[by]), group[by]])).entries()];
  return {
    series: columns.map(([, value]) => labelValue(value, source.enumeration)),
    totals: [toCell(total)],
    rows: rows.map(([key, value]) => ({
      key,
      label: labelValue(value, undefined),
      cells: columns.map(([column]) => {
        const group = groups.find((each) => readKey(each[by]) === key && readKey(each[thenBy]) === column);
        return group === undefined ? nothing : toCell(group);
      }),
    })),
  };
}
const impacts = ["top", "high", "medium", "low", "none", "null"];
const rankImpact = (key: string): number => impacts.indexOf(key);

export function buildChartData(tile: ChartTile, summaries: readonly Summary[], choice: Choice): ChartData {
  const [source, summary] = [tile.sources[0], summaries[0]];
  const common = { collection: source?.collection ?? "", format: tile.format };
  if (source === undefined || summary === undefined) return { ...common, series: [], rows: [], totals: [] };
  if (tile.kind === "matrix") return { ...common, ...buildMatrix(source, summary) };
  const series = tile.sources.map(({ label }) => (label === undefined ? t("dashboard.count") : t(label)));
  const totals = summaries.map(({ total }) => toCell(total));
  if (source.periods === "range")
    return { ...common, series, totals, rows: buildPeriodRows(tile.sources, summaries, choice) };
  if (source.periods === "age") return { ...common, series, totals, rows: buildAgeRows(source, summary, choice) };
  const rows = summary.groups.map((group) => ({
    key: readKey(group[source.by ?? ""]),
    label: labelValue(group[source.by ?? ""], source.enumeration, source.by),
    cells: [toCell(group)],
  }));
  return { ...common, series, totals, rows };
}

export const isEmpty = ({ totals }: ChartData): boolean => totals.every(({ count }) => count === 0);

/** The short format of a figure: "21 h 16". */
export function formatFigure(value: number | null, format: Format): string {
  if (format !== "minutes" || value === null || value < 60) return formatValue(value, format);
  const minutes = Math.round(value);
  // From ten hours on, minutes are insignificant, and a tile has no room for them.
  if (minutes >= 600) return t("time.h", { hours: Math.round(minutes / 60) });
  return t("dashboard.hoursAndMinutes", {
    hours: Math.floor(minutes / 60),
    minutes: String(minutes % 60).padStart(2, "0"),
  });
}

export function formatValue(value: number | null, format: Format): string {
  if (value === null) return "–";
  if (format === "minutes") return formatMinutes(value);
  if (format === "percent") return formatPercent(value, value > 0.9 && value < 1 ? 1 : 0);
  return formatNumber(value);
}
