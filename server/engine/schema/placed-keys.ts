import { buildForeignKey, type ForeignKey, quoteIdentifier, type Schema } from "../../schema/tables/model.ts";
import type { TablePlacement } from "./placement.ts";

// The keys of tables that live with their account contain the account: a server that holds some of the accounts can then check
// them alone, and so can PostgreSQL in one partition of a table (D-661).

type Placements = ReadonlyMap<string, TablePlacement>;

export function placeKeys(schema: Schema, placements: Placements): Schema {
  const findAccount = (table: string) => placements.get(table)?.accountColumn ?? null;
  const primaryKeys: Schema["extras"] = [];
  const tables = schema.tables.map((table) => {
    const account = findAccount(table.name);
    const key = table.columns.find(({ definition }) => definition.endsWith(primaryKey));
    if (account === null || key === undefined || key.name === account) return table;
    const name = `${table.name}_pkey`;
    primaryKeys.push({
      kind: "constraint",
      name,
      table: table.name,
      sql: `ALTER TABLE ${quoteIdentifier(table.name)} ADD CONSTRAINT ${quoteIdentifier(name)} PRIMARY KEY (${key.name}, ${account})`,
    });
    const columns = table.columns.map((column) =>
      column === key ? { ...column, definition: withoutPrimaryKey(key.definition) } : column,
    );
    return { ...table, columns };
  });
  const extras = schema.extras.flatMap((extra) => {
    const { foreignKey, sql } = extra;
    if (foreignKey === undefined) return [{ ...extra, sql: placeUniqueIndex(sql, findAccount) }];
    return mayLeaveAccount(foreignKey, placements) ? [] : [buildForeignKey(placeForeignKey(foreignKey, findAccount))];
  });
  // Foreign keys need the keys that they refer to.
  return { tables, extras: [...primaryKeys, ...extras] };
}

const primaryKey = " PRIMARY KEY";

function withoutPrimaryKey(definition: string): string {
  const rest = definition.slice(0, -primaryKey.length);
  if (rest.includes("AS IDENTITY")) return rest; // which is never null
  const [type, standard] = rest.split(" DEFAULT ");
  return standard === undefined ? `${type} NOT NULL` : `${type} NOT NULL DEFAULT ${standard}`;
}

type FindAccount = (table: string) => string | null;

function placeUniqueIndex(sql: string, findAccount: FindAccount): string {
  const [, head, table = "", columns = "", rest] =
    /^(CREATE UNIQUE INDEX \S+ ON (\S+) )\((.*?)\)( WHERE .*)?$/s.exec(sql) ?? [];
  const account = findAccount(table.replaceAll('"', ""));
  if (head === undefined || account === null || columns.split(", ").includes(account)) return sql;
  return `${head}(${columns}, ${account})${rest ?? ""}`;
}

/**
 * A record may refer to a record of another account in which its own account participates. That one may live on another server,
 * where no foreign key reaches it: purging empties such references.
 */
function mayLeaveAccount({ target, onDelete }: ForeignKey, placements: Placements): boolean {
  const found = placements.get(target);
  return found?.placement === "account" && found.isShared && onDelete !== " ON DELETE CASCADE";
}

/** Other references to a row that lives with its account lead to a row of the same account. */
function placeForeignKey(key: ForeignKey, findAccount: FindAccount): ForeignKey {
  const [account, targetAccount] = [findAccount(key.table), findAccount(key.target)];
  if (account === null || targetAccount === null) return key;
  return {
    ...key,
    columns: [...key.columns, account],
    targetColumns: [...key.targetColumns, targetAccount],
    // To empty the reference would be to empty the account as well: the engine does it, in the transaction of the deletion.
    onDelete: key.onDelete === " ON DELETE SET NULL" ? "" : key.onDelete,
  };
}
