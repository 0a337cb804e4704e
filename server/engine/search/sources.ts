import type { WorkId } from "../../../records/work/work-ids.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import {
  blockBits,
  buildLastStep,
  buildMarkedWords,
  buildMarkPrefix,
  buildStepEnd,
  buildWeightedWords,
} from "../../schema/tables/search-index.ts";
import { buildReadClause, pickAccounts } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { buildSharedRows, recordAccountColumn } from "../overlays.ts";
import { type Fragment, oneOfAccounts, splitClause } from "../sql/clauses.ts";
import type { SqlWriter } from "../sql/query.ts";
import type { Type, Types } from "../types.ts";

// The sources of a search. A source is an index of words, searched block by block of ids from the newest on, until there are
// enough matches. For callers who may see only some records of a large table, the ids of those are collected first: a few
// are scanned one by one; of many, those that the index finds are kept. Only these matches are ranked.

/** The number of records of a type, and of notes, that are ranked; older ones are not shown. */
export const pickResultLimit = (owned: boolean): number => (owned ? 50 : 200);
/** Up to this number of visible records are scanned one by one, and up to that number are collected at all. */
const scanLimit = 3000;
const visibleLimit = 10_000;

export type SearchBuilder = {
  engine: Engine;
  by: Caller;
  sql: SqlWriter;
  /** every matching text meets one of these */
  likePatterns: readonly string[];
  /** the record that the search text may name by its number */
  workId: WorkId | null;
  /** rows of the table of sources: number, marks, newest block */
  sources: string[];
  /** subqueries for the visible ids of large tables, where the caller cannot see all records of an account */
  visibleIdQueries: string[];
};

/** Types with results of their own; a match in an owned record leads to its owner. */
export const listSearchableTypes = (types: Types): readonly Type[] =>
  types.all.filter((type) => type.searchable.length > 0 && type.owners.length === 0);

/** Owned types whose words lead to records of this type. */
export const listSearchableChildren = (types: Types, type: Type): { child: Type; column: string }[] =>
  types.all
    .filter((child) => child.searchable.length > 0)
    .flatMap((child) =>
      child.owners
        .filter((owner) => owner.type === type)
        .map(({ column }) => ({ child, column: quoteIdentifier(column) })),
    );

/** The words of the search, and for each source the blocks of each step. */
export function buildSearchTerms(sources: readonly string[], query = "$1"): string {
  // Words with marks have no positions: a phrase becomes a conjunction.
  const text = "nullif(regexp_replace(q::text, '<(-|[0-9]+)>', '&', 'g'), '')";
  const from = `greatest(v.newest - ${buildStepEnd("s")} + 1, 0)`;
  const until = `v.newest - ${buildStepEnd("s - 1")}`;
  return `asked AS MATERIALIZED (SELECT q, ${text} AS t FROM to_tsquery('simple'::regconfig, ${query}) q),
wanted AS MATERIALIZED (SELECT v.source, v.marks, ${from} AS first, ${until} AS last FROM asked, (VALUES ${sources.join(", ")}) v(source, marks, newest), generate_series(0, ${buildLastStep("v.newest")}) s
WHERE asked.t IS NOT NULL AND ${until} >= 0 ORDER BY v.source, s)`;
}

/** The words with the marks of the blocks of a step. */
export const markedQuery =
  "SELECT string_agg('(' || replace(' ' || (SELECT t FROM asked), ' ''', ' ''' || m || b || '/') || ')', '|')::tsquery FROM unnest(w.marks) m, generate_series(w.first, w.last) b";

/** The matches of a type: records by their own words, by the words of records they own, and the record of that id. */
export function buildTypeQueries(builder: SearchBuilder, type: Type, index: number): string[] {
  const { by } = builder;
  const shared = buildSharedRows(type, by);
  const own: SearchSource = {
    type,
    index,
    accounts: pickAccounts(type, by),
    rows: type.rows,
    accountColumn: "account_id",
    isShared: false,
  };
  const others = (shared?.others ?? []).map(
    (rows): SearchSource => ({
      ...own,
      accounts: rows.recordAccounts,
      rows,
      accountColumn: recordAccountColumn(type, shared),
      isShared: true,
    }),
  );
  return [own, ...others].flatMap((source) => buildSourceQueries(builder, source));
}

/** The rows of a type: those of the caller's accounts, or those that others share. */
type SearchSource = {
  type: Type;
  index: number;
  accounts: readonly string[];
  rows: Fragment;
  accountColumn: string;
  isShared: boolean;
};

function buildSourceQueries(builder: SearchBuilder, source: SearchSource): string[] {
  const { engine, by, sql, visibleIdQueries } = builder;
  const { type, index, rows } = source;
  const readable = buildReadClause(type, by, engine.rules);
  const active = type.deletion.archivable === null ? "true" : "a.life_cycle = 'active'";
  const where = (clause = readable) => `${active} AND ${sql.add(clause)}`;
  const queries: string[] = [];
  if (builder.workId !== null && (builder.workId.type ?? type.name) === type.name)
    queries.push(
      `(SELECT ${index} AS type, a.id, NULL::integer AS note, 2::real AS rank, a.created_at, a.updated_at FROM ${sql.add(rows)} WHERE a.id = ${sql.addValue(builder.workId.id)} AND ${where()})`,
    );
  const seesAll = readable.key === oneOfAccounts(type.accountColumn, pickAccounts(type, by)).key && !source.isShared;
  if (seesAll || !type.storage.grows) return [...queries, ...buildIndexQueries(builder, source, where, "true")];
  const visibleIds = `mine${visibleIdQueries.length}`;
  const selects = splitClause(readable, "all").clauses.map(
    (clause) => `SELECT a.id FROM ${sql.add(rows)} WHERE ${where(clause)}`,
  );
  visibleIdQueries.push(
    `${visibleIds} AS MATERIALIZED (${selects.join(" UNION ")} ORDER BY id DESC LIMIT ${visibleLimit})`,
  );
  const count = `(SELECT count(*) FROM ${visibleIds})`;
  return [
    ...queries,
    ...buildScanQueries(builder, source, visibleIds, `${count} <= ${scanLimit}`),
    ...buildIndexQueries(builder, source, () => active, `${count} > ${scanLimit}`, visibleIds),
  ];
}

/** Through the index. OFFSET 0 makes PostgreSQL search the index before it compares with the visible ids. */
function buildIndexQueries(
  builder: SearchBuilder,
  source: SearchSource,
  where: () => string,
  when: string,
  visibleIds?: string,
): string[] {
  const { engine, by, sql } = builder;
  const { type, accounts, rows, accountColumn } = source;
  const buildMarks = (marked: Type, owner: string | null) => [
    ...new Set(accounts.map((account) => escapeMark(buildMarkPrefix(marked, account, owner)))),
  ];
  const joinVisible = (column: string) =>
    visibleIds === undefined ? "" : ` JOIN ${visibleIds} mine ON mine.id = ${column}`;
  const number = addSource(builder, type, buildMarks(type, null), accounts);
  const matches = `SELECT * FROM ${sql.add(rows)} WHERE ${buildMarkedWords(type, [], "a", accountColumn)} @@ x.words AND ${where()}${andOfSource(builder, source)}`;
  // Sorting thousands of ids is faster than sorting thousands of rows.
  const ids = `SELECT a.id FROM (${matches} OFFSET 0) a${joinVisible("a.id")} ORDER BY a.id DESC LIMIT ${pickResultLimit(false)}`;
  const records = `SELECT a.id, NULL::integer AS note, ${textColumns(type, "a")}, a.created_at, a.updated_at FROM (${ids}) i JOIN ${sql.add(rows)} ON a.id = i.id${andOfSource(builder, source)} ORDER BY i.id DESC`;
  const owned = listSearchableChildren(engine.types, type).map(({ child, column }) => {
    const childNumber = addSource(builder, child, buildMarks(child, type.name), accounts);
    const hasWords = `${buildMarkedWords(child, searchableOwners(engine.types, child), "n")} @@ x.words`;
    const visible = sql.add(buildReadClause(child, by, engine.rules, true), "n");
    const found = `SELECT * FROM ${child.table} n WHERE ${hasWords} AND ${visible} OFFSET 0`;
    // Nearly all notes belong to visible records, so a few more than the limit suffice before that is checked.
    const newest = `SELECT n.id FROM (${found}) n${joinVisible(`n.${column}`)} ORDER BY n.id DESC LIMIT ${8 * pickResultLimit(true)}`;
    const notes = `SELECT a.id, n.id AS note, ${textColumns(child, "n")}, a.created_at, a.updated_at FROM (${newest}) i JOIN ${child.table} n ON n.id = i.id${andOfSource(builder, source, child, "n")} JOIN ${sql.add(rows)} ON a.id = n.${column}${andOfSource(builder, source)} WHERE ${where()} ORDER BY i.id DESC`;
    return buildRankedQuery(source, child, buildStepwiseQuery(child, childNumber, notes), when);
  });
  return [buildRankedQuery(source, type, buildStepwiseQuery(type, number, records), when), ...owned];
}

/**
 * Without the index, from the newest on (ordered by a sum, so that PostgreSQL does not walk the index of ids): only texts
 * that meet a LIKE pattern are split into words.
 */
function buildScanQueries(builder: SearchBuilder, source: SearchSource, visibleIds: string, when: string): string[] {
  const { engine, by, sql, likePatterns } = builder;
  const { type, rows } = source;
  const among = `ANY ((SELECT array_agg(id) FROM ${visibleIds} WHERE ${when})::integer[])`;
  const patterns = `${sql.addValue(likePatterns)}::text[]`;
  const mayMatch = (searched: Type, alias: string) => {
    const text = searched.searchable
      .map((name) => `coalesce(${alias}.${quoteIdentifier(searched.columns.get(name) as string)}, '')`)
      .join(" || ' ' || ");
    return `(lower((${text}) COLLATE "C") LIKE ANY (${patterns}) OR octet_length(${text}) <> char_length(${text}))`;
  };
  const records = `SELECT a.id, NULL::integer AS note, ${textColumns(type, "a")}, a.created_at, a.updated_at FROM ${sql.add(rows)} WHERE a.id = ${among}${andOfSource(builder, source)} AND ${mayMatch(type, "a")} ORDER BY a.id + 0 DESC OFFSET 0`;
  const owned = listSearchableChildren(engine.types, type).map(({ child, column }) => {
    const visible = sql.add(buildReadClause(child, by, engine.rules, true), "n");
    const newest = `SELECT * FROM ${child.table} n WHERE n.${column} = ${among} AND ${visible} AND ${mayMatch(child, "n")} ORDER BY n.id + 0 DESC OFFSET 0`;
    const notes = `SELECT n.${column} AS id, n.id AS note, ${textColumns(child, "n")} FROM (${newest}) n`;
    return buildRankedQuery(
      source,
      child,
      notes,
      when,
      `JOIN ${sql.add(rows)} ON a.id = c.id${andOfSource(builder, source)}`,
    );
  });
  return [buildRankedQuery(source, type, records, when), ...owned];
}

const searchableOwners = (types: Types, child: Type): readonly string[] =>
  child.ownedBy.filter((name) => types.get(name).searchable.length > 0);

export const escapeMark = (mark: string): string => mark.replaceAll("\\", "\\\\").replaceAll("'", "''");

const textColumns = (type: Type, alias: string): string =>
  type.searchable.map((name) => `${alias}.${quoteIdentifier(type.columns.get(name) as string)}`).join(", ");

/** A row of the table of sources; `marks` and `accounts` are placeholders. */
export const blockSource = (number: number, marks: string, type: Type, accounts: string): string => {
  // One look into an index for each account.
  const newest =
    type.placement === "account"
      ? `(SELECT max(l.id) FROM unnest(${accounts}::text[]) AS o (account) CROSS JOIN LATERAL (SELECT max(t.id) AS id FROM ${type.table} t WHERE t.account_id = o.account) l)`
      : `(SELECT max(id) FROM ${type.table})`;
  return `(${number}, ${marks}::text[], ${newest} >> ${blockBits})`;
};

/** Adds a row to the table of sources; returns its number. */
const addSource = (
  { sources, sql }: SearchBuilder,
  type: Type,
  marks: readonly string[],
  accounts: readonly string[],
): number => {
  const placeholder = type.placement === "account" ? sql.addValue(accounts) : "";
  return sources.push(blockSource(sources.length, sql.addValue(marks), type, placeholder)) - 1;
};

/** Confines the rows of a source to its accounts, where they live with them. */
const andOfSource = ({ sql }: SearchBuilder, source: SearchSource, type = source.type, alias = "a"): string => {
  if (type.placement !== "account") return "";
  const column = alias === "a" ? source.accountColumn : "account_id";
  return ` AND ${alias}.${column} = ANY(${sql.addValue(source.accounts)}::text[])`;
};

/** The newest matches, block by block. */
function buildStepwiseQuery(type: Type, number: number, matches: string): string {
  const limit = `LIMIT ${pickResultLimit(type.owners.length > 0)}`;
  return `SELECT m.* FROM wanted w CROSS JOIN LATERAL (SELECT (${markedQuery}) AS words OFFSET 0) x CROSS JOIN LATERAL (${matches} ${limit}) m WHERE w.source = ${number} ${limit}`;
}

/** Ranks candidates, the newest first. `join`: the table with their dates, where the candidates have none. */
function buildRankedQuery({ index }: SearchSource, type: Type, candidates: string, when: string, join = ""): string {
  const dates = join === "" ? "c" : "a";
  const limit = `LIMIT ${pickResultLimit(type.owners.length > 0)}`;
  const matching = `SELECT c.*, t.words AS found_words FROM (${candidates}) c CROSS JOIN LATERAL (SELECT ${buildWeightedWords(type, "c")} AS words OFFSET 0) t WHERE t.words @@ (SELECT q FROM asked) AND ${when} ${limit}`;
  return `(SELECT ${index} AS type, c.id, c.note, ts_rank(c.found_words, (SELECT q FROM asked), 1) AS rank, ${dates}.created_at, ${dates}.updated_at FROM (${matching}) c ${join})`;
}
