import { toTimestamp } from "../base/clock.ts";
import type { Value as SqlValue, Statement, Transaction } from "../storage/database.ts";
import { overlayTable, viewersTable } from "../storage/schema/derive.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { anyOf, type Clause, never } from "./sql/clauses.ts";
import type { Type } from "./types.ts";

// Records that are worked on in several accounts. The table of the type holds the values of the account a record
// belongs to; a side table holds, for every other account that works on it, that account's values of the fields the
// declaration names under perAccount. Seen from such an account a record is the row with those values put over it.
// Onlookers are accounts that see a record as it is where it belongs, and change nothing.

/**
 * The rows of a type, as an account sees them that others let see theirs: tables of `id`, `account_id` (where the record
 * is seen), `home_account_id` (where it belongs), `looks_on` (whether it is seen and no more) and the columns of the type.
 */
export type SharedRows = {
  key: string;
  /** all rows, with the account's own values where it has any */
  all: RowSource;
  /** the rows of other accounts: those it works on, and those it only sees */
  others: readonly SharedRowSource[];
};
/** A table in SQL, and the values of its placeholders in their order. */
type RowSource = { sql: (next: () => string) => string; values: readonly SqlValue[] };
/** `homes`: the accounts they belong to. */
type SharedRowSource = RowSource & { recordAccounts: readonly string[]; isViewerOnly: boolean };

/** Null: nobody shows such records to the account of the call, and the plain table is all there is to see. */
export function buildSharedRows(type: Type, by: Caller): SharedRows | null {
  const { trustedBy, servedBy } = by.accountRecord;
  const [works, looks] = [
    type.perAccount.length > 0 && trustedBy.length > 0,
    type.viewers !== null && servedBy.length > 0,
  ];
  if (!works && !looks) return null;
  const join = (table: string, alias: string) => (next: () => string) =>
    `JOIN ${table} ${alias} ON ${alias}.${type.name}_id = r.id AND ${alias}.account_id = ${next()} AND ${alias}.home_account_id = ANY(${next()}::text[])`;
  const [side, onlooker] = [join(overlayTable(type), "s"), join(viewersTable(type), "l")];
  const ofSide: SqlValue[] = works ? [by.account, trustedBy] : [];
  const ofOnlooker: SqlValue[] = looks ? [by.account, servedBy] : [];
  const shared: SharedRowSource = {
    sql: (next) => buildOverlayQuery(type, side(next), { overlay: "always" }),
    values: ofSide,
    recordAccounts: trustedBy,
    isViewerOnly: false,
  };
  const seen: SharedRowSource = {
    sql(next) {
      const unlessAtWork = works ? ` LEFT ${side(next)} WHERE s.${type.name}_id IS NULL` : ""; // its values come first
      return buildOverlayQuery(type, `${onlooker(next)}${unlessAtWork}`, { viewer: "always" });
    },
    values: [...ofSide, ...ofOnlooker],
    recordAccounts: servedBy,
    isViewerOnly: true,
  };
  return {
    key: ` in sight${works ? " at work" : ""}${looks ? " looking on" : ""}`,
    all: {
      sql: (next) =>
        buildOverlayQuery(type, `${works ? `LEFT ${side(next)}` : ""} ${looks ? `LEFT ${onlooker(next)}` : ""}`, {
          ...(works ? { overlay: "perhaps" } : {}),
          ...(looks ? { viewer: "perhaps" } : {}),
        }),
      values: [...ofSide, ...ofOnlooker],
    },
    others: [...(works ? [shared] : []), ...(looks ? [seen] : [])],
  };
}

type OverlayJoins = { overlay?: "always" | "perhaps"; viewer?: "always" | "perhaps" };

/** The rows `r` of the type with what was joined: `s` from the side table, `l` from that of the onlookers. */
function buildOverlayQuery(type: Type, join: string, { overlay: side, viewer: onlooker }: OverlayJoins): string {
  const isThere = `s.${type.name}_id IS NOT NULL`;
  const own = (column: string) => {
    const name = quoteIdentifier(column);
    if (side === undefined) return `r.${name}`;
    return side === "always" ? `s.${name}` : `CASE WHEN ${isThere} THEN s.${name} ELSE r.${name} END AS ${name}`;
  };
  const looks =
    onlooker !== "perhaps"
      ? String(onlooker === "always")
      : `l.${type.name}_id IS NOT NULL${side === undefined ? "" : ` AND NOT ${isThere}`}`;
  const kept = (column: string) =>
    `CASE WHEN NOT (${looks}) THEN r.${quoteIdentifier(column)} END AS ${quoteIdentifier(column)}`;
  const columns = [...type.columns].flatMap(([name, column]) => {
    if (name === "id") return [];
    if (type.viewers?.without.includes(name) && onlooker !== undefined) return [kept(column)];
    return [type.perAccount.includes(name) ? own(column) : `r.${quoteIdentifier(column)}`];
  });
  if (type.archivable !== null) columns.push("r.life_cycle");
  const places = [side === undefined ? [] : "s.account_id", onlooker === undefined ? [] : "l.account_id"].flat();
  const isSure = side === "always" || onlooker === "always";
  const account = isSure ? (places[0] as string) : `coalesce(${[...places, "r.account_id"].join(", ")})`;
  const head = ["r.id", `${account} AS account_id`, "r.account_id AS home_account_id", `${looks} AS looks_on`];
  return `(SELECT ${[...head, ...columns].join(", ")} FROM ${type.table} r ${join})`;
}

/** The column of a row that holds the account it belongs to. */
export const recordAccountColumn = (type: Type, sight: SharedRows | null): string =>
  sight === null ? type.accountColumn : "home_account_id";

/** For what onlookers may not do. */
export const exceptViewers: Clause = { key: "at work", sql: (alias) => `NOT ${alias}.looks_on`, values: [] };

/** For what only the account of a record may do. */
export const onlyRecordAccount: Clause = {
  key: "at home",
  sql: (alias) => `${alias}.account_id = ${alias}.home_account_id`,
  values: [],
};

/** Rows that belong to a record of another account which the account of the call sees. */
export function buildSharedOwnerClause(type: Type, by: Caller): Clause | null {
  for (const owner of type.owners) {
    const sight = buildSharedRows(owner.type, by);
    if (sight !== null) return buildSharedIdClause(owner.column, owner.type, sight, null);
  }
  return null;
}

/** `rows`: what must hold for the record of the other account. */
export function buildSharedIdClause(
  column: string,
  type: Type,
  sight: SharedRows,
  rows: Clause | null,
  operation = "read",
): Clause {
  const others = sight.others.filter(({ isViewerOnly: looksOn }) => operation === "read" || !looksOn);
  if (rows === never || others.length === 0) return never;
  return anyOf(
    others.map((other) => ({
      key: `${column} of ${other.isViewerOnly ? "seen" : "shared"} ${type.name}${sight.key}[${rows?.key ?? ""}]`,
      sql(alias, next) {
        const inner = `${alias}o`;
        const conditions = type.archivable === null || rows === null ? [] : [`${inner}.life_cycle = 'active'`];
        const table = other.sql(next);
        if (rows !== null) conditions.push(rows.sql(inner, next));
        const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
        return `${alias}.${quoteIdentifier(column)} IN (SELECT ${inner}.id FROM ${table} ${inner}${where})`;
      },
      values: [...other.values, ...(rows?.values ?? [])],
    })),
  );
}

/** A record is locked by its own row, whichever account's values are about to change. */
export const lockRecordStatement = (engine: Engine, type: Type): Statement =>
  engine.statements.get(
    `${type.name}#lock record`,
    () => `SELECT 1 FROM ${type.ownTable} WHERE id = $1 FOR NO KEY UPDATE`,
  );

/** One account's values of a locked record, as columns of `a`; $1 is the record, $2 the account. */
export const buildOverlayRow = (type: Type): string =>
  buildOverlayQuery(type, `JOIN ${overlayTable(type)} s ON s.${type.name}_id = r.id AND s.account_id = $2`, {
    overlay: "always",
  });

/** From now on that account works on the record, too. True: it did not before. */
export async function addParticipant(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  side: string,
  now: Date,
): Promise<boolean> {
  const given = type.perAccount.flatMap((name) => {
    const field = type.fields[name];
    const standing = field?.default !== undefined && "value" in field.default ? field.default.value : undefined;
    const value = name === "created_at" ? toTimestamp(now) : standing;
    return value === undefined ? [] : [{ column: type.columns.get(name) as string, value: value as SqlValue }];
  });
  const built = engine.statements.get(`${type.name}#open side`, () => {
    const columns = given.map(({ column }) => `, ${quoteIdentifier(column)}`).join("");
    const values = given.map((_, index) => `, $${index + 3}`).join("");
    return `INSERT INTO ${overlayTable(type)} (${type.name}_id, account_id, home_account_id${columns})
SELECT id, $2, account_id${values} FROM ${type.table} WHERE id = $1 AND account_id <> $2 ON CONFLICT DO NOTHING RETURNING 1`;
  });
  return (await tx.query(built, [id, side, ...given.map(({ value }) => value)])).length > 0;
}
