import type { Share } from "../../../records/vocabulary/index.ts";
import { BadRequest, Forbidden } from "../../base/errors.ts";
import type { Row } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { hasAnyGrant } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { MemberSerializer } from "../kinds/kind.ts";
import { buildWhere } from "../list.ts";
import { buildSharedRows } from "../overlays.ts";
import { filterClauses } from "../read/filter.ts";
import { allOf } from "../sql/clauses.ts";
import { type Query, value } from "../sql/query.ts";
import type { Type } from "../types.ts";
import { buildGroupQuery, buildPeriodFilter, buildTextFilter, type GroupPart, type Period } from "./group-query.ts";
import { KnownSummaries } from "./known-summaries.ts";
import { type Grouping, type Measure, type Question, toParameters } from "./question.ts";

// D-427: the rows that a list would show, counted or measured by groups. One statement finds the groups, their total and
// the names of what they refer to.

const maxGroups = 500;

export type SummaryGroup = {
  /** JSON of the value of each grouping, under the name of its field */
  members: readonly (readonly [name: string, json: string])[];
  count: number;
  value: string | null;
  query: string | null;
  /** of a share: the records that make it up */
  part: { count: number; query: string | null } | null;
};
export type Summary = { groups: readonly SummaryGroup[]; total: SummaryGroup; hasMore: boolean };

export async function summarize(engine: Engine, by: Caller, type: Type, question: Question): Promise<Summary> {
  if (!hasAnyGrant(type, "read", by)) throw new Forbidden();
  const grouped = buildGroupValues(engine, type, question);
  const rows = await readSummary(engine, type, buildStatement(engine, by, type, question, grouped), by);
  // The total comes first: the set without groups has one row, also where there is none to count.
  const [total, ...groups] = rows as [Row, ...Row[]];
  return {
    groups: groups.slice(0, maxGroups).map((row) => parseGroup(row, question, grouped.values, by)),
    total: parseGroup(total, { ...question, groupings: [] }, [], by),
    hasMore: groups.length > maxGroups,
  };
}

/** How the value of a grouping is selected, and read from a row of groups. */
type GroupValue = {
  /** of the row `a`; `limits` is the placeholder of the limits of periods */
  expression(limits: string | null): string;
  /** the column of the groups that holds it, under the name that the serializer expects */
  column: string;
  /** what is read of it, from the groups `a` and what they are joined with */
  selected: readonly string[];
  /** reads what was selected, from that place of the row on */
  parse(row: Row, at: number, by: Caller): { json: string; part: Omit<GroupPart, "grouping"> };
};

/** The account of the records in a group. They belong to one account where they refer to a record that lives with it. */
const groupAccount = "a.group_account";

type GroupValues = { values: readonly GroupValue[]; joins: readonly string[] };

function buildGroupValues(engine: Engine, type: Type, { groupings, query }: Question): GroupValues {
  const plain = groupings.filter(({ periods }) => periods === null);
  const { joins, parts } = engine.serializer.forValues(
    type,
    plain.map(({ name }) => name),
    groupAccount,
  );
  // Filters compare these texts without regard to case, so groups do as well.
  const foldsAll = query.filters.some(({ name }) => type.routes.specialFilters.includes(name));
  return {
    joins,
    values: groupings.map((grouping) => {
      if (grouping.periods !== null) return buildPeriodValue(type, grouping, grouping.periods);
      const { name, field } = grouping;
      const folds = (foldsAll && getKind(field).foldsCase === true) || type.caseInsensitive.includes(name);
      return buildPlainValue(type, grouping, parts[plain.indexOf(grouping)] as MemberSerializer, folds);
    }),
  };
}

function buildPlainValue(
  type: Type,
  { name, field }: Grouping,
  serializer: MemberSerializer,
  folds: boolean,
): GroupValue {
  const column = type.columns.get(name) as string;
  const { isCode, hasIdColumn } = getKind(field);
  const ownColumn = `a.${quoteIdentifier(column)}`;
  return {
    expression: () => (folds ? `lower(${ownColumn})` : ownColumn),
    column,
    selected: [...serializer.columns, `${ownColumn}::text`],
    parse(row, at, by) {
      const json = serializer.write(row, at, by);
      const stored = row[at + serializer.columns.length] ?? null;
      const text = isCode && stored !== null ? (JSON.parse(json) as string) : stored;
      const filter = hasIdColumn && !isCode ? { name, value: text ?? "" } : buildTextFilter(name, text);
      return { json, part: { filter, period: null } };
    },
  };
}

function buildPeriodValue(
  type: Type,
  { name, field }: Grouping,
  periods: NonNullable<Grouping["periods"]>,
): GroupValue {
  const kind = getKind(field);
  const isDay = kind.meaning === "day";
  const stored = `a.${quoteIdentifier(type.columns.get(name) as string)}`;
  const parse = (period: Period | null): ReturnType<GroupValue["parse"]> =>
    period === null
      ? { json: "null", part: { filter: { name, value: "" }, period: null } }
      : { json: JSON.stringify(period), part: { filter: buildPeriodFilter(name, period), period } };
  if ("limits" in periods) {
    const { limits } = periods;
    const before = (limit: string) => (isDay ? addDays(limit, -1) : addSeconds(limit, -1));
    return {
      expression: (placeholder) => `width_bucket(${stored}, ${placeholder}::${kind.sqlType}[])`,
      column: "period",
      selected: ["a.period::text"],
      parse(row, at) {
        if (row[at] === null) return parse(null);
        const bucket = Number(row[at]);
        const until = limits[bucket];
        return parse({ from: limits[bucket - 1] ?? null, until: until === undefined ? null : before(until) });
      },
    };
  }
  const { every } = periods;
  const cast = isDay ? "::date" : "";
  const last = `(a.period + interval '1 ${every}' - interval '1 ${isDay ? "day" : "second"}')${cast}`;
  return {
    // The connection has the time zone of the caller, so days are the caller's days.
    expression: () => `date_trunc('${every}', ${stored})${cast}`,
    column: "period",
    selected: ["a.period::text", `${last}::text`],
    parse(row, at) {
      const [from, until] = [row[at] ?? null, row[at + 1] ?? null];
      if (from === null || until === null) return parse(null);
      return parse({ from: JSON.parse(kind.write(from)) as string, until: JSON.parse(kind.write(until)) as string });
    },
  };
}

const addSeconds = (moment: string, seconds: number): string =>
  new Date(Date.parse(moment) + seconds * 1000).toISOString().replace(".000Z", "Z");
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

function buildStatement(
  engine: Engine,
  by: Caller,
  type: Type,
  { groupings, measure, query }: Question,
  { values, joins }: GroupValues,
): Query {
  const limits = groupings.flatMap(({ periods }) => (periods !== null && "limits" in periods ? [periods.limits] : []));
  const are = measure.is === "share" ? filterClauses(type, toParameters(measure.share.are), by, engine.rules) : null;
  const parts = {
    where: buildWhere(engine, by, type, query),
    are: are === null ? null : allOf(are),
    limits: limits[0] === undefined ? null : value([...limits[0]]),
    others: buildSharedRows(type, by)?.others ?? [],
  };
  const asked = groupings.map(({ name, periods }) => `${name}${periods === null ? "" : getPeriodKey(periods)}`);
  const key = `${type.name}#summary#${asked.join(",")}#${measure.is}${measure.is === "count" ? "" : `:${measure.name}`}`;
  return engine.statements.prepare(key, parts, (sql) => {
    const columns = values.map(({ column }) => quoteIdentifier(column));
    const needsAccount = joins.some((join) => join.includes(groupAccount));
    const selected = [
      ...(needsAccount ? [`a.${type.accountColumn} AS account`] : []),
      ...values.map(({ expression }, at) => `${expression(sql.limits)} AS ${columns[at]}`),
      ...(measure.is === "count" ? [] : [`${sql.are ?? buildMeasured(type, measure)} AS measured`]),
      ...(measure.is === "count" && values.length === 0 ? ["1"] : []),
    ].join(", ");
    // PostgreSQL takes the days of a million moments for a million groups and sorts them on disk. Behind OFFSET 0 it knows
    // nothing of them and expects few, so it counts them in memory.
    const fence = groupings.some(({ periods }) => periods !== null) && measure.is !== "median" ? " OFFSET 0" : "";
    const rows = [`${type.table} a`, ...sql.others].map(
      (from) => `(SELECT ${selected} FROM ${from} WHERE ${sql.where}${fence})`,
    );
    const isTotal = columns.length === 0 ? "1" : `grouping(${columns[0]})`;
    const sets = columns.length === 0 ? "" : `GROUP BY GROUPING SETS ((${columns.join(", ")}), ())`;
    const order = ["is_total DESC", ...buildOrder(groupings, columns)];
    const counted = [
      `${isTotal} AS is_total`,
      "count(*) AS n",
      `${aggregateSql[measure.is]} AS v`,
      ...(needsAccount ? ["min(account) AS group_account"] : []),
      ...columns,
    ];
    const groups = `SELECT ${counted.join(", ")}
FROM (${rows.join(" UNION ALL ")}) r ${sets} ORDER BY ${order.join(", ")} LIMIT ${maxGroups + 2}`;
    const outer = ["a.n::text", "a.v::text", ...values.flatMap(({ selected: columns }) => columns)];
    const outerOrder = order.map((each) => `a.${each}`).join(", ");
    return `SELECT ${outer.join(", ")} FROM (${groups}) a ${joins.join(" ")} ORDER BY ${outerOrder}`;
  });
}

const getPeriodKey = (periods: NonNullable<Grouping["periods"]>): string =>
  "every" in periods ? `@${periods.every}` : "@bounds";

const buildMeasured = (type: Type, measure: Exclude<Measure, { is: "count" }>): string =>
  `a.${quoteIdentifier(type.columns.get(measure.name) as string)}`;

const aggregateSql: Record<Measure["is"], string> = {
  count: "count(*)",
  sum: "coalesce(sum(measured), 0)",
  average: "round(avg(measured)::numeric, 4)",
  median: "percentile_disc(0.5) WITHIN GROUP (ORDER BY measured)",
  share: "count(*) FILTER (WHERE measured)",
};

/** Periods in their order; else the groups with most records first. */
const buildOrder = (groupings: readonly Grouping[], columns: readonly string[]): string[] => {
  const at = groupings.findIndex(({ periods }) => periods !== null);
  return [...(at < 0 ? [] : [columns[at] as string]), ...(columns.length === 0 ? [] : ["n DESC"]), ...columns];
};

/** By database, so that servers of one process keep apart. */
const knownSummaries = new WeakMap<Engine["database"], KnownSummaries>();

async function readSummary(engine: Engine, type: Type, { statement, values }: Query, by: Caller): Promise<Row[]> {
  const known = knownSummaries.get(engine.database) ?? new KnownSummaries();
  knownSummaries.set(engine.database, known);
  try {
    return await known.get({ text: statement.text, values, zone: by.zone }, () =>
      engine.database.readMany(statement, values, by, type.storage.grows ? "high" : "low"),
    );
  } catch (error) {
    // All values were checked before; but a value of the caller must never become a 500.
    if ((error as { code?: string }).code?.startsWith("22")) throw new BadRequest("A parameter has an invalid value");
    throw error;
  }
}

function parseGroup(row: Row, { groupings, measure, query }: Question, values: readonly GroupValue[], by: Caller) {
  let at = 2;
  const found = values.map((groupValue) => {
    const parsed = groupValue.parse(row, at, by);
    at += groupValue.selected.length;
    return parsed;
  });
  const parts = found.map(({ part }, index): GroupPart => ({ ...part, grouping: groupings[index] as Grouping }));
  const count = Number(row[0]);
  const measured = row[1] ?? null;
  const isShare = measure.is === "share";
  return {
    members: found.map(({ json }, index) => [(groupings[index] as Grouping).name, json] as const),
    count,
    value: isShare ? (count === 0 ? null : String(Math.round((Number(measured) / count) * 10_000) / 10_000)) : measured,
    query: buildGroupQuery(query, parts, by),
    part: isShare ? { count: Number(measured), query: buildPartQuery(query, measure.share, parts, by) } : null,
  } satisfies SummaryGroup;
}

/** The filters of the share take the place of those that they narrow. */
function buildPartQuery(
  query: Question["query"],
  { among, are }: Share,
  parts: readonly GroupPart[],
  by: Caller,
): string | null {
  const filters = query.filters.filter(({ name, value }) => !(name in are && among[name] === value));
  return buildGroupQuery({ ...query, filters }, parts, by, toParameters(are));
}
