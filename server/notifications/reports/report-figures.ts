import { Temporal } from "temporal-polyfill";
import type { Format, Source } from "../../../records/figures/tile.ts";
import { type FigureTitle, getFigureTitles } from "../../../records/figures/titles/index.ts";
import { toIntlLocale } from "../../../records/languages/intl-locale.ts";
import { BadRequest, Forbidden } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Parameter } from "../../engine/read/list-query.ts";
import { parseQuestion, toParameters } from "../../engine/summary/question.ts";
import { type Summary, type SummaryGroup, summarize } from "../../engine/summary/summarize.ts";
import type { FigureTable } from "../figure-tables.ts";
import { formatValue } from "../format-values.ts";
import type { MailRecipient } from "../mail-recipients.ts";
import type { PlacedReportTile, Report, ReportTile } from "./report-tiles.ts";
import type { ReportDays } from "./sending-times.ts";

// The figures of a report for one reader: every query runs with the reader's rights, as on the page.

type Context = { engine: Engine; by: Caller; reader: MailRecipient; days: ReportDays; team: number | null };

const maxRows = 12;
/** How many days before today each class of age begins. */
const ages = [30, 7, 3, 0];

/** Single figures come first, then a table for every chart. */
export async function loadFigures(page: Context, { tiles }: Report): Promise<FigureTable[]> {
  const teams = await loadTeamNames(page, tiles);
  const figures: [string, string][] = [];
  const tables: FigureTable[] = [];
  for (const placed of tiles) {
    const { tile } = placed;
    const title = nameTile(page, placed, teams);
    const context = narrow(page, placed);
    try {
      if (tile.kind === "figure") figures.push([title, await loadFigure(context, tile.source, tile.format)]);
      else if (tile.kind === "list") figures.push([title, await loadFigure(context, { ...tile }, "number")]);
      else tables.push({ title, rows: await loadRows(context, tile) });
    } catch (error) {
      // The reader may not read records of this type, or not group them like that.
      if (!(error instanceof Forbidden || error instanceof BadRequest)) throw error;
    }
  }
  return [...(figures.length === 0 ? [] : [{ title: "", rows: figures }]), ...tables];
}

const selectTeamNames = statement("SELECT id, name FROM teams WHERE account_id = $1 AND id = ANY($2::integer[])");

async function loadTeamNames({ engine, by }: Context, tiles: Report["tiles"]): Promise<ReadonlyMap<number, string>> {
  const ids = tiles.flatMap(({ team }) => team ?? []);
  if (ids.length === 0) return new Map();
  const rows = await engine.database.read(selectTeamNames, [by.account, ids]);
  return new Map(rows.map(([id, name]) => [Number(id), name ?? ""]));
}

/** The days and the team of the tile itself go before those of the page. */
function narrow(page: Context, { days, team }: PlacedReportTile): Context {
  return {
    ...page,
    team: team ?? page.team,
    days:
      days === undefined
        ? page.days
        : { from: countBack(page.days.today, days), until: countBack(page.days.today, 1), today: page.days.today },
  };
}

const countBack = (today: string, days: number): string => Temporal.PlainDate.from(today).subtract({ days }).toString();

/** A tile that has days or a team of its own says so. */
function nameTile({ reader, days }: Context, placed: PlacedReportTile, teams: ReadonlyMap<number, string>): string {
  return [
    placed.title ?? getFigureTitles(reader.me.locale)[placed.tile.title],
    ...(placed.team === undefined ? [] : [teams.get(placed.team) ?? `#${placed.team}`]),
    ...(placed.days === undefined ? [] : [`${countBack(days.today, placed.days)} – ${countBack(days.today, 1)}`]),
  ].join(" · ");
}

async function ask({ engine, by, days, team }: Context, source: Source, grouped: boolean): Promise<Summary | null> {
  const type = engine.types.all.find(({ collection }) => collection === source.collection);
  if (type === undefined) return null;
  const { state, ...filters } = source.filters ?? {};
  const within: Record<string, string> =
    source.within === undefined ? {} : { [source.within]: writePeriod(source.within, days) };
  const ofTeam: Record<string, string> = team === null || source.ofNoTeam ? {} : { team: String(team) };
  const first = (before: number) => Temporal.PlainDate.from(days.today).subtract({ days: before });
  const groups = {
    ...(source.by === undefined ? {} : { by: source.by }),
    ...(source.periods === "age" ? { bounds: ages.map((age) => `${first(age)}T00:00:00`).join() } : {}),
  };
  const parameters: Parameter[] = toParameters({
    ...(source.measure === undefined ? {} : { measure: source.measure }),
    ...(grouped ? groups : {}),
  });
  const query = {
    views: state === undefined ? [] : [state],
    filters: toParameters({ ...filters, ...within, ...ofTeam }),
  };
  return summarize(engine, by, type, parseQuestion(type, by, parameters, query));
}

const writePeriod = (field: string, { from, until }: ReportDays): string =>
  field === "date" ? `>=${from}<=${until}` : `>=${from}T00:00:00<=${until}T23:59:59`;

async function loadFigure(context: Context, source: Source, format: Format): Promise<string> {
  const { by: _, ...plain } = source;
  const summary = await ask(context, plain, false);
  return formatFigure(context.reader, summary === null ? null : summary.total.value, format);
}

async function loadRows(
  context: Context,
  tile: Extract<ReportTile, { kind: "columns" | "bars" | "shares" | "donut" | "matrix" }>,
): Promise<[string, string][]> {
  const { reader } = context;
  const titles = getFigureTitles(reader.me.locale);
  const [first] = tile.sources;
  // Days have a chart on the page; an email contains their sum.
  if (first === undefined || first.periods === "range")
    return Promise.all(
      tile.sources.map(
        async (source): Promise<[string, string]> => [
          titles[(source.label ?? "dashboard.count") as FigureTitle],
          await loadFigure(context, source, tile.format),
        ],
      ),
    );
  const summary = await ask(context, first, true);
  if (summary === null) return [];
  const field = context.engine.types.all.find(({ collection }) => collection === first.collection)?.fields[
    first.by ?? ""
  ];
  const label = (group: SummaryGroup): string => {
    const value: unknown = JSON.parse(group.members[0]?.[1] ?? "null");
    if (first.periods === "age") return titles[pickAge(value, context.days.today)];
    return value === null ? titles["dashboard.none"] : formatValue(reader, field, value);
  };
  const rows = summary.groups.map((group): [string, string] => [
    label(group),
    formatFigure(reader, group.value, tile.format),
  ]);
  const rest = rows.length - maxRows;
  return rest <= 0 ? rows : [...rows.slice(0, maxRows), ["…", `+${rest}`]];
}

function pickAge(value: unknown, today: string): FigureTitle {
  const until = (value as { until?: string | null } | null)?.until;
  if (until == null) return "age.today";
  const days = Temporal.PlainDate.from(until.slice(0, 10)).until(today).total("days");
  return days >= 30 ? "age.older" : days >= 7 ? "age.month" : days >= 3 ? "age.week" : "age.days";
}

function formatFigure({ me }: MailRecipient, value: string | null, format: Format): string {
  if (value === null) return "–";
  const number = Number(value);
  if (format === "minutes") {
    const minutes = Math.round(number);
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
  }
  const style = format === "percent" ? { style: "percent" as const, maximumFractionDigits: 1 } : {};
  return new Intl.NumberFormat(toIntlLocale(me.locale), style).format(number);
}
