import { toTimestamp } from "../base/clock.ts";
import type { Value as SqlValue, Statement } from "../database/database.ts";
import { markTable } from "../schema/layout/account-tables.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { overlayTable, viewersTable } from "../schema/tables/table-names.ts";
import { type Caller, listReachableAccounts } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { Operation, RecordOperation } from "./operation.ts";
import { anyOf, type Clause, type Fragment, never } from "./sql/clauses.ts";
import type { Type } from "./types.ts";

// Several accounts can work on a record. The table of the type holds the values of the account it belongs to; the overlay
// table holds, for every participating account, that account's values of the fields that the declaration lists under
// perAccount. A participant sees the row with its overlay applied. Viewers are accounts that see the record with the
// values of its own account and cannot change it.

/**
 * The rows of a type as an account sees them with which others share records: `id`, `account_id` (the account that sees
 * the record), `home_account_id` (the account it belongs to), `looks_on` (the account is a viewer) and the columns of
 * the type.
 */
export type SharedRows = {
  key: string;
  /** all rows, with the overlay of the account where it has one */
  all: Fragment;
  /** rows of other accounts: those the account participates in, and those it views */
  others: readonly SharedRowSource[];
};
/** `recordAccounts`: the accounts that the records belong to. */
type SharedRowSource = Fragment & { recordAccounts: readonly string[]; isViewerOnly: boolean };

/** Null: no account shares records of this type with the account of the call, so the table has all the rows. */
export function buildSharedRows(type: Type, by: Caller): SharedRows | null {
  const { trustedBy, servedBy } = by.accountRecord;
  const participates = type.sharing.perAccount.length > 0 && trustedBy.length > 0;
  const views = type.sharing.viewers !== null && servedBy.length > 0;
  if (!participates && !views) return null;
  const join = (table: string, alias: string) => (next: () => string) => {
    const [viewing, owners] = [next(), `ANY(${next()}::text[])`];
    const isSame = `${alias}.${type.name}_id = r.id AND ${alias}.home_account_id = r.account_id`;
    return `JOIN ${table} ${alias} ON ${isSame} AND ${alias}.account_id = ${viewing} AND ${alias}.home_account_id = ${owners} AND r.account_id = ${owners}`;
  };
  const joinOverlay = join(overlayTable(type), "s");
  const joinViewer = join(viewersTable(type), "l");
  const overlayValues: SqlValue[] = participates ? [by.account, trustedBy] : [];
  const viewerValues: SqlValue[] = views ? [by.account, servedBy] : [];
  const key = `${participates ? " participant" : ""}${views ? " viewer" : ""}`;
  const participated: SharedRowSource = {
    key: `participated${key}`,
    sql: (alias, next) => `${buildOverlayQuery(type, joinOverlay(next), { overlay: "always" })} ${alias}`,
    values: overlayValues,
    recordAccounts: trustedBy,
    isViewerOnly: false,
  };
  const viewed: SharedRowSource = {
    key: `viewed${key}`,
    sql(alias, next) {
      // An account that both participates and views sees its overlay.
      const exceptParticipated = participates ? ` LEFT ${joinOverlay(next)} WHERE s.${type.name}_id IS NULL` : "";
      return `${buildOverlayQuery(type, `${joinViewer(next)}${exceptParticipated}`, { viewer: "always" })} ${alias}`;
    },
    values: [...overlayValues, ...viewerValues],
    recordAccounts: servedBy,
    isViewerOnly: true,
  };
  return {
    key,
    all: {
      key: `all${key}`,
      sql(alias, next) {
        const joins = `${participates ? `LEFT ${joinOverlay(next)}` : ""} ${views ? `LEFT ${joinViewer(next)}` : ""}`;
        const query = buildOverlayQuery(type, `${joins} WHERE r.account_id = ANY(${next()}::text[])`, {
          ...(participates ? { overlay: "perhaps" } : {}),
          ...(views ? { viewer: "perhaps" } : {}),
        });
        return `${query} ${alias}`;
      },
      values: [...overlayValues, ...viewerValues, listReachableAccounts(by)],
    },
    others: [...(participates ? [participated] : []), ...(views ? [viewed] : [])],
  };
}

const buildRevisionColumn = (overlay: OverlayJoins["overlay"]): string =>
  overlay === undefined ? "r.revision" : "r.revision + coalesce(s.revision, 0) AS revision";

type OverlayJoins = { overlay?: "always" | "perhaps"; viewer?: "always" | "perhaps" };

/** The rows `r` of the type with what was joined: `s` from the overlay table, `l` from the table of viewers. */
function buildOverlayQuery(type: Type, joins: string, { overlay, viewer }: OverlayJoins): string {
  const hasOverlay = `s.${type.name}_id IS NOT NULL`;
  const perAccountColumn = (column: string) => {
    const name = quoteIdentifier(column);
    if (overlay === undefined) return `r.${name}`;
    return overlay === "always" ? `s.${name}` : `CASE WHEN ${hasOverlay} THEN s.${name} ELSE r.${name} END AS ${name}`;
  };
  const isViewer =
    viewer !== "perhaps"
      ? String(viewer === "always")
      : `l.${type.name}_id IS NOT NULL${overlay === undefined ? "" : ` AND NOT ${hasOverlay}`}`;
  const hiddenFromViewers = (column: string) =>
    `CASE WHEN NOT (${isViewer}) THEN r.${quoteIdentifier(column)} END AS ${quoteIdentifier(column)}`;
  const columns = [...type.columns].flatMap(([name, column]) => {
    if (name === "id") return [];
    if (type.sharing.viewers?.without.includes(name) && viewer !== undefined) return [hiddenFromViewers(column)];
    return [type.sharing.perAccount.includes(name) ? perAccountColumn(column) : `r.${quoteIdentifier(column)}`];
  });
  if (type.deletion.archivable !== null) columns.push("r.life_cycle");
  if (type.hasRevision) columns.push(buildRevisionColumn(overlay));
  const accounts = [overlay === undefined ? [] : "s.account_id", viewer === undefined ? [] : "l.account_id"].flat();
  const isInnerJoin = overlay === "always" || viewer === "always";
  const account = isInnerJoin ? (accounts[0] as string) : `coalesce(${[...accounts, "r.account_id"].join(", ")})`;
  const head = ["r.id", `${account} AS account_id`, "r.account_id AS home_account_id", `${isViewer} AS looks_on`];
  return `(SELECT ${[...head, ...columns].join(", ")} FROM ${type.table} r ${joins})`;
}

/** The rows of a type as the caller sees them. */
export const pickRows = (type: Type, shared: SharedRows | null): Fragment => shared?.all ?? type.rows;

/** The column with the account that a record belongs to. */
export const recordAccountColumn = (type: Type, shared: SharedRows | null): string =>
  shared === null ? type.accountColumn : "home_account_id";

/** Excludes records that the account only views. */
export const exceptViewers: Clause = { key: "except viewers", sql: (alias) => `NOT ${alias}.looks_on`, values: [] };

/** Excludes records of other accounts. */
export const onlyRecordAccount: Clause = {
  key: "only record account",
  sql: (alias) => `${alias}.account_id = ${alias}.home_account_id`,
  values: [],
};

/** Rows owned by a record of another account that is shared with the account of the call. */
export function buildSharedOwnerClause(type: Type, by: Caller): Clause | null {
  for (const owner of type.owners) {
    const shared = buildSharedRows(owner.type, by);
    if (shared !== null) return buildSharedIdClause(owner.column, owner.type, shared, null);
  }
  return null;
}

/** Rows whose column refers to a shared record; `rows` is a condition on that record. */
export function buildSharedIdClause(
  column: string,
  type: Type,
  shared: SharedRows,
  rows: Clause | null,
  operation = "read",
): Clause {
  const others = shared.others.filter(({ isViewerOnly }) => operation === "read" || !isViewerOnly);
  if (rows === never || others.length === 0) return never;
  return anyOf(
    others.map((other) => ({
      key: `${column} of ${other.key} ${type.name}[${rows?.key ?? ""}]`,
      sql(alias, next) {
        const inner = `${alias}o`;
        const conditions = type.deletion.archivable === null || rows === null ? [] : [`${inner}.life_cycle = 'active'`];
        const ofAccounts = `${alias}.account_id = ANY(${next()}::text[])`;
        const from = other.sql(inner, next);
        if (rows !== null) conditions.push(rows.sql(inner, next));
        const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
        return `(${ofAccounts} AND ${alias}.${quoteIdentifier(column)} IN (SELECT ${inner}.id FROM ${from}${where}))`;
      },
      values: [other.recordAccounts, ...other.values, ...(rows?.values ?? [])],
    })),
  );
}

/** Every writer locks the record's own row, also to change an overlay; $2 is the account of the record. */
export const lockRecordStatement = (engine: Engine, type: Type): Statement =>
  engine.statements.get(
    `${type.name}#lock record`,
    () => `SELECT 1 FROM ${markTable(type.ownTable, "$2")} WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
  );

/** The row with the overlay of one account, as a table; $2 is that account, $3 the one that the record belongs to. */
export const buildOverlayRow = (type: Type): string => {
  const join = `JOIN ${overlayTable(type)} s ON s.${type.name}_id = r.id AND s.home_account_id = r.account_id`;
  return buildOverlayQuery(type, `${join} AND s.account_id = $2 WHERE r.account_id = $3`, { overlay: "always" });
};

/** The account that a record belongs to which others share with the account of the caller; null: there is no such record. */
export async function findSharedRecordAccount({ engine, tx, by, type }: Operation, id: number): Promise<string | null> {
  const built = engine.statements.get(
    `${type.name}#shared record account`,
    () =>
      `SELECT home_account_id FROM ${overlayTable(type)} WHERE ${type.name}_id = $1 AND account_id = $2 AND home_account_id = ANY($3::text[])`,
  );
  const [row] = await tx.query(built, [id, by.account, listReachableAccounts(by)]);
  return row?.[0] ?? null;
}

/** Gives an account an overlay of a record; false when it has one already. `account`: the one that the record belongs to. */
export async function addParticipant(
  { engine, tx, by, type, id, account }: RecordOperation,
  participant: string,
): Promise<boolean> {
  const initial = type.sharing.perAccount.flatMap((name) => {
    const field = type.fields[name];
    const standard = field?.default !== undefined && "value" in field.default ? field.default.value : undefined;
    const value = name === "created_at" ? toTimestamp(by.now) : standard;
    return value === undefined ? [] : [{ column: type.columns.get(name) as string, value: value as SqlValue }];
  });
  const built = engine.statements.get(`${type.name}#add participant`, () => {
    const columns = initial.map(({ column }) => `, ${quoteIdentifier(column)}`).join("");
    const values = initial.map((_, index) => `, $${index + 4}`).join("");
    return `INSERT INTO ${overlayTable(type)} (${type.name}_id, account_id, home_account_id${columns})
SELECT id, $2, $3${values} FROM ${markTable(type.ownTable, "$3")} WHERE id = $1 AND account_id = $3 AND account_id <> $2 ON CONFLICT DO NOTHING RETURNING 1`;
  });
  return (await tx.query(built, [id, participant, account, ...initial.map(({ value }) => value)])).length > 0;
}
