import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { allOf, always, type Branches, type Clause, type Fragment, splitClause } from "../sql/clauses.ts";
import { collectValues, type PartsSql, type Query } from "../sql/query.ts";
import type { Type } from "../types.ts";
import type { KnownTotal } from "./known-totals.ts";
import { buildOwnChangesCheck } from "./own-changes.ts";
import type { RowSerializer } from "./serializer.ts";
import { buildOrderBy, type SortOrder } from "./sort.ts";

// The statement of a page and of its total. In a large table the rows of a caller are found in branches, each through an
// index of its own (D-507), and the total of a long list is kept for a while (D-508).

/** More would cost the planner more time than they save. */
const maxBranches = 16;

/** `confining`: conditions that every row must meet, also one that is readable for several reasons. */
export function splitForIndexes(
  type: Type,
  readable: Clause,
  confining: readonly Clause[],
  wants: "first" | "all",
): Branches {
  const whole = { clauses: [readable], disjoint: true };
  const split = type.storage.grows ? splitClause(readable, wants) : whole;
  const { clauses, disjoint } = split.clauses.length > maxBranches ? whole : split;
  const confine = (clause: Clause) => allOf(clause === always ? confining : [clause, ...confining]);
  return { clauses: clauses.map(confine), disjoint };
}

/** The rows of a list: as its pages find them, and as they are counted, where that is not the same. */
export type PageBranches = Branches & { counted: Branches | null };

export function buildPageBranches(type: Type, readable: Clause, confining: readonly Clause[]): PageBranches {
  const first = splitForIndexes(type, readable, confining, "first");
  const all = splitForIndexes(type, readable, confining, "all");
  const isSame = all.clauses.every(({ key }, index) => key === first.clauses[index]?.key);
  return { ...first, counted: isSame ? null : all };
}

export type PageParts = {
  branches: readonly Clause[];
  /** the branches that are counted; none: the same, or the total is not wanted */
  counted: readonly Clause[];
  /** the rows behind the cursor, in alternatives of which no row meets two; none: there is no cursor */
  positions: readonly Clause[];
  offset: Fragment | null;
  /** asked in the place of the total where that is known: whether it lacks changes of the caller */
  ownChanges: Clause | null;
  /** rows of other accounts that are shared with the caller's */
  others: readonly Fragment[];
  rows: Fragment;
};

/**
 * `hasTotal`: the total follows the sort keys, or the answer of `ownChanges`; without it, only they precede the columns of the
 * record. `disjoint`: no row is in two branches.
 */
type PagePlan = {
  type: Type;
  shape: RowSerializer;
  order: SortOrder;
  backwards: boolean;
  limit: number;
  hasTotal: boolean;
  disjoint: boolean;
  isCountDisjoint: boolean;
  /** an index has just the rows of the list, in their order: the page is not looked for before its rows are fetched */
  isIndexed?: boolean;
};

/** A page of a list and its total, where that is wanted; `ownChanges`: the total is known unless this holds. */
export function preparePage(
  engine: Engine,
  name: string,
  list: { found: PageBranches; wantsTotal: boolean; ownChanges: Clause | null },
  {
    position,
    ...parts
  }: Omit<PageParts, "branches" | "counted" | "positions" | "ownChanges"> & {
    position: Clause | null;
  },
  plan: Omit<PagePlan, "hasTotal" | "disjoint" | "isCountDisjoint">,
): Query {
  const { found, wantsTotal: hasTotal, ownChanges } = list;
  const { clauses: branches, disjoint, counted } = found;
  const isCountDisjoint = (counted ?? found).disjoint;
  const positions = position === null ? [] : splitPosition(position, plan);
  const countedClauses = hasTotal && ownChanges === null ? (counted?.clauses ?? []) : [];
  const full = { branches, counted: countedClauses, positions, ownChanges, ...parts };
  const key = `${plan.type.name}#${name}#${plan.order.key}#${plan.limit}#${plan.backwards}#${hasTotal}#${disjoint}#${isCountDisjoint}#${plan.isIndexed === true}`;
  return engine.statements.prepare(key, full, (sql) =>
    buildPageText({ ...plan, hasTotal, disjoint, isCountDisjoint }, sql),
  );
}

/** Each alternative is found in the index of the order; where there is none, two would read the rows twice. */
const splitPosition = (position: Clause, { type, order }: Pick<PagePlan, "type" | "order">): readonly Clause[] =>
  (type.storage.grows && order.keys[0]?.hasIndex && position.disjoint && position.any) || [position];

/** `isOther`: rows of other accounts that are shared with the caller's. */
type PageSource = { from: string; where: string; isOther: boolean };

function buildPageText(plan: PagePlan, sql: PartsSql<PageParts>): string {
  const { type, shape, order, backwards, limit, disjoint } = plan;
  const branches =
    sql.positions.length === 0
      ? sql.branches
      : sql.branches.flatMap((branch) => sql.positions.map((position) => `${branch} AND ${position}`));
  // The limit is text, not a parameter: without it the planner expects many rows and never keeps a generic plan.
  const range = `LIMIT ${limit}${sql.offset === null ? "" : ` OFFSET ${sql.offset}`}`;
  const counting = { branches: sql.counted.length === 0 ? sql.branches : sql.counted, others: sql.others };
  const total = plan.hasTotal ? [sql.ownChanges ?? `(${buildCount(type, counting, plan.isCountDisjoint)})`] : [];
  const isShared = sql.others.length > 0;
  if (!type.storage.grows || plan.isIndexed) {
    const keys = order.keys.map((sortKey) => `(${sortKey.expression})::text`);
    return [
      `SELECT ${[...keys, ...total, ...shape.columns].join(", ")}`,
      `FROM ${sql.rows} ${[...(isShared ? order.sharedJoins : order.joins), ...shape.joins].join(" ")}`,
      `WHERE ${branches[0]} ORDER BY ${buildOrderBy(order, backwards)} ${range}`,
    ].join("\n");
  }
  // In a large table the page is found inside an index first, and only its own rows are fetched.
  const keys = order.keys.map((_, index) => `k.o${index}`);
  const inner = order.keys.map((sortKey, index) => `${sortKey.expression} AS o${index}`);
  const outerOrder = buildOrderBy(
    { ...order, keys: order.keys.map((sortKey, index) => ({ ...sortKey, expression: `k.o${index}` })) },
    backwards,
  );
  // The rows of the page are fetched in the account in which they were found.
  const selectPage = ({ from, where, isOther }: PageSource, range: string) => {
    const account = type.placement === "account" ? `, a.${isOther ? "home_account_id" : "account_id"} AS account` : "";
    const joins = isOther ? order.sharedJoins : order.joins;
    return `SELECT ${inner.join(", ")}${account} FROM ${from} ${joins.join(" ")}
  WHERE ${where} ORDER BY ${buildOrderBy(order, backwards)} ${range}`;
  };
  // Own and shared rows, and those of each branch, are found in different indexes: a page of each, then one page of them all.
  const rangeOfEach = `LIMIT ${sql.offset === null ? limit : `${limit} + ${sql.offset}::bigint`}`;
  const sources = [`${type.table} a`, ...sql.others].flatMap((from, index) =>
    branches.map((where): PageSource => ({ from, where, isOther: index > 0 })),
  );
  const [only, ...further] = sources as [PageSource, ...PageSource[]];
  const page =
    further.length === 0
      ? selectPage(only, range)
      : `SELECT * FROM (${sources.map((source) => `(${selectPage(source, rangeOfEach)})`).join(disjoint ? " UNION ALL " : " UNION ")}) k ORDER BY ${outerOrder} ${range}`;
  const ofAccount =
    type.placement === "account" ? ` AND a.${isShared ? "home_account_id" : "account_id"} = k.account` : "";
  return [
    `SELECT ${[...keys.map((key) => `${key}::text`), ...total, ...shape.columns].join(", ")}`,
    `FROM (${page}) k`,
    `JOIN ${sql.rows} ON a.id = ${keys.at(-1)}${ofAccount} ${shape.joins.join(" ")}`,
    `ORDER BY ${outerOrder}`,
  ].join("\n");
}

/** A list of a type with few rows is fast with any filter. */
export const getCost = (type: Type) => (type.storage.grows ? "unknown" : "low");

type CountParts = Pick<PageParts, "branches" | "others">;
export type Counting = CountParts & { disjoint: boolean };

export const pickCounting = (found: PageBranches, others: readonly Fragment[]): Counting => {
  const { clauses: branches, disjoint } = found.counted ?? found;
  return { branches, others, disjoint };
};

function buildCount(type: Type, sql: PartsSql<CountParts>, disjoint: boolean): string {
  // If a list is capped, counting stops one row behind the cap.
  const limit = type.routes.cap === null ? "" : ` LIMIT ${type.routes.cap + 1}`;
  const selectCounts = (from: string): string[] => {
    const selects = sql.branches.map((where) => ({ where, ids: `SELECT a.id FROM ${from} WHERE ${where}${limit}` }));
    if (selects.length > 1 && !disjoint)
      return [`SELECT count(*) FROM (${selects.map(({ ids }) => `(${ids})`).join(" UNION ")}${limit}) c`];
    return selects.map(({ where, ids }) =>
      limit === "" ? `SELECT count(*) FROM ${from} WHERE ${where}` : `SELECT count(*) FROM (${ids}) c`,
    );
  };
  const counts = [`${type.table} a`, ...sql.others].flatMap(selectCounts);
  return counts.length === 1 ? (counts[0] as string) : `SELECT ${counts.map((count) => `(${count})`).join(" + ")}`;
}

/** Counts the rows, known or not. */
export async function countRows(
  engine: Engine,
  type: Type,
  { branches, others, disjoint }: Counting,
  by: Caller,
): Promise<number> {
  const countedAt = engine.clock.now();
  const count = engine.statements.prepare(`${type.name}#count#${disjoint}`, { branches, others }, (sql) =>
    buildCount(type, sql, disjoint),
  );
  const rows = await engine.database.readMany(count.statement, count.values, by, getCost(type));
  const total = Number(rows[0]?.[0] ?? 0);
  rememberTotal(engine, type, { branches, others, disjoint }, total, countedAt);
  return total;
}

/** Equal for lists of the same rows: same conditions, same values. */
const buildTotalKey = (type: Type, { branches, others }: Counting) => collectValues(type.name, { branches, others });

/** The number of rows of a long list, as it was a short time ago, and whether it lacks changes of the caller. */
type ListedTotal = KnownTotal & { ownChanges: Clause };

/** Null: the rows must be counted. */
export function findKnownTotal({ totals }: Engine, type: Type, counting: Counting, by: Caller): ListedTotal | null {
  const known = type.storage.grows && !totals.isEmpty ? totals.find(buildTotalKey(type, counting)) : null;
  const ownChanges = known === null ? null : buildOwnChangesCheck(type, by, known.countedAt);
  return known === null || ownChanges === null ? null : { ...known, ownChanges };
}

export function rememberTotal(
  { totals }: Engine,
  type: Type,
  counting: Counting,
  total: number,
  countedAt: Date,
): void {
  if (type.storage.grows && totals.isWorthKeeping(total))
    totals.remember(buildTotalKey(type, counting), total, countedAt);
}
