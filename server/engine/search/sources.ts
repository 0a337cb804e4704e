import type { Value as SqlValue } from "../../storage/database.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";
import {
  blockBits,
  buildLastStep,
  buildMarkedWords,
  buildMarkPrefix,
  buildStepEnd,
  buildWeightedWords,
} from "../../storage/schema/search-index.ts";
import { buildReadClause, pickAccounts } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { buildSharedRows, recordAccountColumn } from "../overlays.ts";
import { alternatives, type Clause, oneOfAccounts } from "../sql/clauses.ts";
import type { Type, Types } from "../types.ts";

// Where the search looks. A source is an index of words: it is asked for the blocks of ids from the newest on, until there
// is enough. Who sees only some records of a large table has those gathered first: few of them are looked at one by one, of
// many those that the index gives are taken. Only what was found so is ranked.

/** So many records of a type are ranked, and so many of what it owns; older ones are not shown. */
export const pickResultLimit = (owned: boolean): number => (owned ? 50 : 200);
/** Of records that somebody may see, so many are looked at one by one, and so many at all. */
const scanLimit = 3000;
const visibleLimit = 10_000;

export type SearchBuilder = {
  engine: Engine;
  by: Caller;
  addValue: (value: SqlValue) => string;
  addClause: (clause: Clause, alias: string) => string;
  /** no text matches that is not LIKE one of these */
  likePatterns: readonly string[];
  /** what was typed, when it may be the number of a record */
  id: number | null;
  /** rows of the table of sources: number, marks, newest block */
  sources: string[];
  /** what the caller may see of large tables, where that is not all of an account */
  visibleIdQueries: string[];
};

/** Types that are searched by themselves; what is owned leads to its owner. */
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

/** The words asked for; and for each source the blocks to look into, step by step. */
export function buildSearchTerms(sources: readonly string[]): string {
  // Words with marks have no places any more: words that follow each other become words that are all there.
  const text = "nullif(regexp_replace(q::text, '<(-|[0-9]+)>', '&', 'g'), '')";
  const from = `greatest(v.newest - ${buildStepEnd("s")} + 1, 0)`;
  const until = `v.newest - ${buildStepEnd("s - 1")}`;
  return `asked AS MATERIALIZED (SELECT q, ${text} AS t FROM to_tsquery('simple'::regconfig, $1) q),
wanted AS MATERIALIZED (SELECT v.source, v.marks, ${from} AS first, ${until} AS last FROM asked, (VALUES ${sources.join(", ")}) v(source, marks, newest), generate_series(0, ${buildLastStep("v.newest")}) s
WHERE asked.t IS NOT NULL AND ${until} >= 0 ORDER BY v.source, s)`;
}

/** The words with the marks of the blocks of a step. */
const markedQuery =
  "SELECT string_agg('(' || replace(' ' || (SELECT t FROM asked), ' ''', ' ''' || m || b || '/') || ')', '|')::tsquery FROM unnest(w.marks) m, generate_series(w.first, w.last) b";

/** What a type gives: records by their own words, by the words of what they own, and the one of that number. */
export function buildTypeQueries(finder: SearchBuilder, type: Type, index: number): string[] {
  const { by, addValue: give } = finder;
  const sight = buildSharedRows(type, by);
  const own: SearchSource = {
    type,
    index,
    accounts: pickAccounts(type, by),
    table: () => type.table,
    accountColumn: "account_id",
    isShared: false,
  };
  const shared = (sight?.others ?? []).map(({ recordAccounts: homes, sql, values }): SearchSource => {
    const table = () => {
      const given = values.map(give);
      return sql(() => given.shift() as string);
    };
    return { ...own, accounts: homes, table, accountColumn: recordAccountColumn(type, sight), isShared: true };
  });
  return [own, ...shared].flatMap((place) => buildSourceQueries(finder, place));
}

/** Where rows of a type are: in the accounts of the call, or shared by others. */
type SearchSource = {
  type: Type;
  index: number;
  accounts: readonly string[];
  table: () => string;
  accountColumn: string;
  isShared: boolean;
};

function buildSourceQueries(finder: SearchBuilder, place: SearchSource): string[] {
  const { engine, by, addValue: give, addClause: put, visibleIdQueries: mine } = finder;
  const { type, index, table } = place;
  const rights = buildReadClause(type, by, engine.rules);
  const active = type.archivable === null ? "true" : "a.life_cycle = 'active'";
  const where = (right = rights) => `${active} AND ${put(right, "a")}`;
  const list: string[] = [];
  if (finder.id !== null)
    list.push(
      `(SELECT ${index} AS type, a.id, NULL::integer AS note, 2::real AS rank, a.created_at, a.updated_at FROM ${table()} a WHERE a.id = ${give(finder.id)} AND ${where()})`,
    );
  const wide = rights.key === oneOfAccounts(type.accountColumn, pickAccounts(type, by)).key && !place.isShared;
  if (wide || !type.grows) return [...list, ...buildIndexQueries(finder, place, where, "true")];
  const name = `mine${mine.length}`;
  const seen = alternatives(rights).map((right) => `SELECT a.id FROM ${table()} a WHERE ${where(right)}`);
  mine.push(`${name} AS MATERIALIZED (${seen.join(" UNION ")} ORDER BY id DESC LIMIT ${visibleLimit})`);
  const count = `(SELECT count(*) FROM ${name})`;
  return [
    ...list,
    ...buildScanQueries(finder, place, name, `${count} <= ${scanLimit}`),
    ...buildIndexQueries(finder, place, () => active, `${count} > ${scanLimit}`, name),
  ];
}

/** Through the index. `mine`: the records that count. OFFSET 0 has the index asked before that is looked at. */
function buildIndexQueries(
  finder: SearchBuilder,
  place: SearchSource,
  where: () => string,
  when: string,
  mine?: string,
): string[] {
  const { engine, by, addClause: put } = finder;
  const { type, accounts, table, accountColumn: home } = place;
  const marksOf = (of: Type, owner: string | null) => [
    ...new Set(accounts.map((account) => escapeMark(buildMarkPrefix(of, account, owner)))),
  ];
  const joined = (column: string) => (mine === undefined ? "" : ` JOIN ${mine} mine ON mine.id = ${column}`);
  const own = addSource(finder, type, marksOf(type, null));
  const matches = `SELECT * FROM ${table()} a WHERE ${buildMarkedWords(type, [], "a", home)} @@ x.words AND ${where()}`;
  // Thousands of numbers are sorted faster than thousands of rows.
  const numbers = `SELECT a.id FROM (${matches} OFFSET 0) a${joined("a.id")} ORDER BY a.id DESC LIMIT ${pickResultLimit(false)}`;
  const records = `SELECT a.id, NULL::integer AS note, ${textColumns(type, "a")}, a.created_at, a.updated_at FROM (${numbers}) i JOIN ${table()} a ON a.id = i.id ORDER BY i.id DESC`;
  const owned = listSearchableChildren(engine.types, type).map(({ child, column }) => {
    const number = addSource(finder, child, marksOf(child, type.name));
    const noted = `${buildMarkedWords(child, searchableOwners(engine.types, child), "n")} @@ x.words`;
    const visible = put(buildReadClause(child, by, engine.rules, true), "n");
    const found = `SELECT * FROM ${child.table} n WHERE ${noted} AND ${visible} OFFSET 0`;
    // Nearly all of them belong to what the caller may see: so a few more are enough, before that is looked at.
    const newest = `SELECT n.id FROM (${found}) n${joined(`n.${column}`)} ORDER BY n.id DESC LIMIT ${8 * pickResultLimit(true)}`;
    const notes = `SELECT a.id, n.id AS note, ${textColumns(child, "n")}, a.created_at, a.updated_at FROM (${newest}) i JOIN ${child.table} n ON n.id = i.id JOIN ${table()} a ON a.id = n.${column} WHERE ${where()} ORDER BY i.id DESC`;
    return buildRankedQuery(place, child, buildStepwiseQuery(child, number, notes), when);
  });
  return [buildRankedQuery(place, type, buildStepwiseQuery(type, own, records), when), ...owned];
}

/** Without the index, from the newest on: words are worked out for texts that have the letters, until there are enough. */
function buildScanQueries(
  { engine, by, addClause: put, addValue: give, likePatterns: likenesses }: SearchBuilder,
  place: SearchSource,
  mine: string,
  when: string,
): string[] {
  const { type, table } = place;
  const among = `ANY ((SELECT array_agg(id) FROM ${mine} WHERE ${when})::integer[])`;
  const wanted = `${give(likenesses)}::text[]`;
  const has = (of: Type, alias: string) => {
    const text = of.searchable
      .map((name) => `coalesce(${alias}.${quoteIdentifier(of.columns.get(name) as string)}, '')`)
      .join(" || ' ' || ");
    return `(lower((${text}) COLLATE "C") LIKE ANY (${wanted}) OR octet_length(${text}) <> char_length(${text}))`;
  };
  const records = `SELECT a.id, NULL::integer AS note, ${textColumns(type, "a")}, a.created_at, a.updated_at FROM ${table()} a WHERE a.id = ${among} AND ${has(type, "a")} ORDER BY a.id + 0 DESC OFFSET 0`;
  const owned = listSearchableChildren(engine.types, type).map(({ child, column }) => {
    const visible = put(buildReadClause(child, by, engine.rules, true), "n");
    const newest = `SELECT * FROM ${child.table} n WHERE n.${column} = ${among} AND ${visible} AND ${has(child, "n")} ORDER BY n.id + 0 DESC OFFSET 0`;
    const notes = `SELECT n.${column} AS id, n.id AS note, ${textColumns(child, "n")} FROM (${newest}) n`;
    return buildRankedQuery(place, child, notes, when, `JOIN ${table()} a ON a.id = c.id`);
  });
  return [buildRankedQuery(place, type, records, when), ...owned];
}

const searchableOwners = (types: Types, child: Type): readonly string[] =>
  child.ownedBy.filter((name) => types.get(name).searchable.length > 0);

const escapeMark = (mark: string): string => mark.replaceAll("\\", "\\\\").replaceAll("'", "''");

const textColumns = (type: Type, alias: string): string =>
  type.searchable.map((name) => `${alias}.${quoteIdentifier(type.columns.get(name) as string)}`).join(", ");

/** Enters a source in the table of sources; its number. */
function addSource({ sources, addValue: give }: SearchBuilder, type: Type, marks: readonly string[]): number {
  const newest = `(SELECT max(id) FROM ${type.table}) >> ${blockBits}`;
  return sources.push(`(${sources.length}, ${give(marks)}::text[], ${newest})`) - 1;
}

/** The newest that match. They are ordered by a sum, so that PostgreSQL does not walk down the ids in search of a match. */
function buildStepwiseQuery(type: Type, number: number, matches: string): string {
  const limit = `LIMIT ${pickResultLimit(type.owners.length > 0)}`;
  return `SELECT m.* FROM wanted w CROSS JOIN LATERAL (SELECT (${markedQuery}) AS words OFFSET 0) x CROSS JOIN LATERAL (${matches} ${limit}) m WHERE w.source = ${number} ${limit}`;
}

/** What candidates are worth, as they come: the newest first. `dated`: where else their dates are. */
function buildRankedQuery({ index }: SearchSource, type: Type, candidates: string, when: string, dated = ""): string {
  const dates = dated === "" ? "c" : "a";
  const limit = `LIMIT ${pickResultLimit(type.owners.length > 0)}`;
  const matching = `SELECT c.*, t.words AS found_words FROM (${candidates}) c CROSS JOIN LATERAL (SELECT ${buildWeightedWords(type, "c")} AS words OFFSET 0) t WHERE t.words @@ (SELECT q FROM asked) AND ${when} ${limit}`;
  return `(SELECT ${index} AS type, c.id, c.note, ts_rank(c.found_words, (SELECT q FROM asked), 1) AS rank, ${dates}.created_at, ${dates}.updated_at FROM (${matching}) c ${dated})`;
}
