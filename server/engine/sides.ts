import { stampOf } from "../base/clock.ts";
import type { Value as SqlValue, Statement, Transaction } from "../storage/database.ts";
import { sideTable } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import type { Caller } from "./caller.ts";
import { type Clause, never } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import type { Type } from "./types.ts";

// Records that are worked on in several accounts. The table of the type holds the values of the account a record
// belongs to; a side table holds, for every other account that works on it, that account's values of the fields the
// declaration names under perAccount. Seen from such an account a record is the row with those values put over it.

/**
 * The rows of a type, as an account sees them that others trust with theirs: tables of `id`, `account_id` (where the
 * record is seen), `home_account_id` (where it belongs) and the columns of the type.
 */
export type Sight = {
  /** all rows, with the account's own values where it has any */
  all: (account: string, trusting: string) => string;
  /** the rows of other accounts that it works on */
  shared: (account: string, trusting: string) => string;
  /** of the two placeholders */
  values: readonly SqlValue[];
};

/** Null: nobody shares such records with the account of the call, and the plain table is all there is to see. */
export function sightOf(type: Type, by: Caller): Sight | null {
  const { account } = by;
  const { trustedBy } = by.accountRecord;
  if (type.perAccount.length === 0 || trustedBy.length === 0) return null;
  const rows = (join: string) => (here: string, trusting: string) => {
    const on = `s.${type.name}_id = r.id AND s.account_id = ${here} AND s.home_account_id = ANY(${trusting}::text[])`;
    return overlaid(type, `${join} ${sideTable(type)} s ON ${on}`);
  };
  return { all: rows("LEFT JOIN"), shared: rows("JOIN"), values: [account, trustedBy] };
}

function overlaid(type: Type, join: string): string {
  const isThere = `s.${type.name}_id IS NOT NULL`;
  const own = (column: string) => {
    const name = quoted(column);
    return join.startsWith("LEFT") ? `CASE WHEN ${isThere} THEN s.${name} ELSE r.${name} END AS ${name}` : `s.${name}`;
  };
  const columns = [...type.columns].flatMap(([name, column]) =>
    name === "id" ? [] : [type.perAccount.includes(name) ? own(column) : `r.${quoted(column)}`],
  );
  if (type.archivable !== null) columns.push("r.life_cycle");
  const head = ["r.id", own("account_id"), "r.account_id AS home_account_id"];
  return `(SELECT ${[...head, ...columns].join(", ")} FROM ${type.table} r ${join})`;
}

/** The column of a row that holds the account it belongs to. */
export const homeColumn = (type: Type, sight: Sight | null): string =>
  sight === null ? type.accountColumn : "home_account_id";

/** For what only the account of a record may do. */
export const atHome: Clause = {
  key: "at home",
  sql: (alias) => `${alias}.account_id = ${alias}.home_account_id`,
  values: [],
};

/** Rows that belong to a record of another account which the account of the call works on. */
export function belowShared(type: Type, by: Caller): Clause | null {
  for (const owner of type.owners) {
    const sight = sightOf(owner.type, by);
    if (sight !== null) return idIn(owner.column, owner.type, sight, null);
  }
  return null;
}

/** `rows`: what must hold for the shared record. */
export function idIn(column: string, type: Type, sight: Sight, rows: Clause | null): Clause {
  if (rows === never) return never;
  return {
    key: `${column} of shared ${type.name}[${rows?.key ?? ""}]`,
    sql(alias, next) {
      const inner = `${alias}o`;
      const conditions = type.archivable === null || rows === null ? [] : [`${inner}.life_cycle = 'active'`];
      const shared = sight.shared(next(), next());
      if (rows !== null) conditions.push(rows.sql(inner, next));
      const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
      return `${alias}.${quoted(column)} IN (SELECT ${inner}.id FROM ${shared} ${inner}${where})`;
    },
    values: [...sight.values, ...(rows?.values ?? [])],
  };
}

/** A record is locked by its own row, whichever account's values are about to change. */
export const lockRecord = (engine: Engine, type: Type): Statement =>
  engine.statements.get(
    `${type.name}#lock record`,
    () => `SELECT 1 FROM ${type.ownTable} WHERE id = $1 FOR NO KEY UPDATE`,
  );

/** One account's values of a locked record, as columns of `a`; $1 is the record, $2 the account. */
export const oneSide = (type: Type): string =>
  overlaid(type, `JOIN ${sideTable(type)} s ON s.${type.name}_id = r.id AND s.account_id = $2`);

/** From now on that account works on the record, too. True: it did not before. */
export async function openSide(
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
    const value = name === "created_at" ? stampOf(now) : standing;
    return value === undefined ? [] : [{ column: type.columns.get(name) as string, value: value as SqlValue }];
  });
  const built = engine.statements.get(`${type.name}#open side`, () => {
    const columns = given.map(({ column }) => `, ${quoted(column)}`).join("");
    const values = given.map((_, index) => `, $${index + 3}`).join("");
    return `INSERT INTO ${sideTable(type)} (${type.name}_id, account_id, home_account_id${columns})
SELECT id, $2, account_id${values} FROM ${type.table} WHERE id = $1 AND account_id <> $2 ON CONFLICT DO NOTHING RETURNING 1`;
  });
  return (await tx.query(built, [id, side, ...given.map(({ value }) => value)])).length > 0;
}
