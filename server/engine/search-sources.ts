import type { Value as SqlValue } from "../storage/database.ts";
import { quoted } from "../storage/schema/model.ts";
import { blockBits, markedWordsOf, markOf, upToStep, wordsOf } from "../storage/schema/words.ts";
import { accountsOf, readableRows } from "./access.ts";
import type { Caller } from "./caller.ts";
import { alternatives, type Clause, oneOfAccounts } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import { homeColumn, sightOf } from "./sides.ts";
import type { Type, Types } from "./types.ts";

// Where the search looks. A source is an index of words: it is asked for the blocks of ids from the newest on, until there
// is enough. Who sees only some records of a large table has those gathered first: few of them are looked at one by one, of
// many those that the index gives are taken. Only what was found so is ranked.

/** So many records of a type are ranked, and so many of what it owns; older ones are not shown. */
export const mostOf = (owned: boolean): number => (owned ? 50 : 200);
/** So many records that somebody may see are looked at one by one, so many with what they own, and so many at most. */
const few = { records: 1000, owned: 250 };
const mostSeen = 10_000;

export type Finder = {
  engine: Engine;
  by: Caller;
  give: (value: SqlValue) => string;
  put: (clause: Clause, alias: string) => string;
  /** what was typed, when it may be the number of a record */
  id: number | null;
  /** rows of the table of sources: number, marks, newest block */
  sources: string[];
  /** what the caller may see of large tables, where that is not all of an account */
  mine: string[];
};

/** Types that are searched by themselves; what is owned leads to its owner. */
export const searchedTypes = (types: Types): readonly Type[] =>
  types.all.filter((type) => type.searchable.length > 0 && type.owners.length === 0);

/** Owned types whose words lead to records of this type. */
export const searchedBelow = (types: Types, type: Type): { child: Type; column: string }[] =>
  types.all
    .filter((child) => child.searchable.length > 0)
    .flatMap((child) =>
      child.owners.filter((owner) => owner.type === type).map(({ column }) => ({ child, column: quoted(column) })),
    );

/** The words asked for; and for each source the blocks to look into, step by step. */
export function askedSql(sources: readonly string[]): string {
  // Words with marks have no places any more: words that follow each other become words that are all there.
  const text = "nullif(regexp_replace(q::text, '<(-|[0-9]+)>', '&', 'g'), '')";
  const from = `greatest(v.newest - ${upToStep("s")} + 1, 0)`;
  const until = `v.newest - ${upToStep("s - 1")}`;
  return `asked AS MATERIALIZED (SELECT q, ${text} AS t FROM to_tsquery('simple'::regconfig, $1) q),
wanted AS MATERIALIZED (SELECT v.source, v.marks, ${from} AS first, ${until} AS last FROM asked, (VALUES ${sources.join(", ")}) v(source, marks, newest), generate_series(0, (v.newest + 24) / 16) s
WHERE asked.t IS NOT NULL AND ${until} >= 0 ORDER BY v.source, s)`;
}

/** The words with the marks of the blocks of a step. */
const markedQuery =
  "SELECT string_agg('(' || replace(' ' || (SELECT t FROM asked), ' ''', ' ''' || m || b || '/') || ')', '|')::tsquery FROM unnest(w.marks) m, generate_series(w.first, w.last) b";

/** What a type gives: records by their own words, by the words of what they own, and the one of that number. */
export function branches(finder: Finder, type: Type, index: number): string[] {
  const { by, give } = finder;
  const sight = sightOf(type, by);
  const own: Place = {
    type,
    index,
    accounts: accountsOf(type, by),
    table: () => type.table,
    home: "account_id",
    isShared: false,
  };
  if (sight === null) return found(finder, own);
  const shared: Place = {
    ...own,
    accounts: by.accountRecord.trustedBy,
    table: () => sight.shared(...(sight.values.map(give) as [string, string])),
    home: homeColumn(type, sight),
    isShared: true,
  };
  return [...found(finder, own), ...found(finder, shared)];
}

/** On what condition a way is taken. */
type When = { records: string; owned: string };
/** Where rows of a type are: in the accounts of the call, or shared by others. */
type Place = {
  type: Type;
  index: number;
  accounts: readonly string[];
  table: () => string;
  home: string;
  isShared: boolean;
};

function found(finder: Finder, place: Place): string[] {
  const { engine, by, give, put, mine } = finder;
  const { type, index, table } = place;
  const rights = readableRows(type, by, engine.rules);
  const active = type.archivable === null ? "true" : "a.life_cycle = 'active'";
  const where = (right = rights) => `${active} AND ${put(right, "a")}`;
  const list: string[] = [];
  if (finder.id !== null)
    list.push(
      `(SELECT ${index} AS type, a.id, NULL::integer AS note, 2::real AS rank, a.created_at, a.updated_at FROM ${table()} a WHERE a.id = ${give(finder.id)} AND ${where()})`,
    );
  const wide = rights.key === oneOfAccounts(type.accountColumn, accountsOf(type, by)).key && !place.isShared;
  if (wide || !type.grows) return [...list, ...indexed(finder, place, where, { records: "true", owned: "true" })];
  const name = `mine${mine.length}`;
  const seen = alternatives(rights).map((right) => `SELECT a.id FROM ${table()} a WHERE ${where(right)}`);
  mine.push(`${name} AS MATERIALIZED (${seen.join(" UNION ")} ORDER BY id DESC LIMIT ${mostSeen})`);
  const count = `(SELECT count(*) FROM ${name})`;
  const among = `ANY ((SELECT array_agg(id) FROM ${name})::integer[])`;
  return [
    ...list,
    ...oneByOne(finder, place, among, { records: `${count} <= ${few.records}`, owned: `${count} <= ${few.owned}` }),
    ...indexed(
      finder,
      place,
      () => `${active} AND a.id = ${among}`,
      { records: `${count} > ${few.records}`, owned: `${count} > ${few.owned}` },
      among,
    ),
  ];
}

/** Through the index. `among`: the ids of the records that count. */
function indexed(finder: Finder, place: Place, where: () => string, when: When, among?: string): string[] {
  const { engine, by, put } = finder;
  const { type, accounts, table, home } = place;
  const marksOf = (of: Type, owner: string | null) => [
    ...new Set(accounts.map((account) => inQuotes(markOf(of, account, owner)))),
  ];
  const own = source(finder, type, marksOf(type, null));
  const matches = `${markedWordsOf(type, [], "a", home)} @@ x.words`;
  const records = `SELECT a.id, NULL::integer AS note, ${texts(type, "a")}, a.created_at, a.updated_at FROM ${table()} a WHERE ${matches} AND ${where()} ORDER BY a.id + 0 DESC`;
  const owned = searchedBelow(engine.types, type).map(({ child, column }) => {
    const number = source(finder, child, marksOf(child, type.name));
    const noted = `${markedWordsOf(child, searchedOwners(engine.types, child), "n")} @@ x.words`;
    const visible = put(readableRows(child, by, engine.rules, true), "n");
    const below = among === undefined ? "" : ` AND n.${column} = ${among}`;
    // Nearly all of them belong to what the caller may see: so a few more are enough, before that is looked at.
    const newest = `SELECT * FROM ${child.table} n WHERE ${noted} AND ${visible}${below} ORDER BY n.id + 0 DESC LIMIT ${8 * mostOf(true)}`;
    const notes = `SELECT a.id, n.id AS note, ${texts(child, "n")}, a.created_at, a.updated_at FROM (${newest}) n JOIN ${table()} a ON a.id = n.${column} WHERE ${where()} ORDER BY n.id + 0 DESC`;
    return ranked(place, child, stepwise(child, number, notes), when.owned);
  });
  return [ranked(place, type, stepwise(type, own, records), when.records), ...owned];
}

/** Without the index. */
function oneByOne({ engine, by, put }: Finder, place: Place, among: string, when: When): string[] {
  const { type, table } = place;
  const records = `SELECT a.id, NULL::integer AS note, ${texts(type, "a")}, a.created_at, a.updated_at FROM ${table()} a WHERE a.id = ${among}`;
  const owned = searchedBelow(engine.types, type).map(({ child, column }) => {
    const visible = put(readableRows(child, by, engine.rules, true), "n");
    const newest = `SELECT * FROM ${child.table} n WHERE n.${column} = ${among} AND ${visible} ORDER BY n.id + 0 DESC LIMIT ${2 * few.owned}`;
    const notes = `SELECT a.id, n.id AS note, ${texts(child, "n")}, a.created_at, a.updated_at FROM (${newest}) n JOIN ${table()} a ON a.id = n.${column}`;
    return ranked(place, child, notes, when.owned);
  });
  return [ranked(place, type, records, when.records), ...owned];
}

const searchedOwners = (types: Types, child: Type): readonly string[] =>
  child.ownedBy.filter((name) => types.named(name).searchable.length > 0);

const inQuotes = (mark: string): string => mark.replaceAll("\\", "\\\\").replaceAll("'", "''");

const texts = (type: Type, alias: string): string =>
  type.searchable.map((name) => `${alias}.${quoted(type.columns.get(name) as string)}`).join(", ");

/** Enters a source in the table of sources; its number. */
function source({ sources, give }: Finder, type: Type, marks: readonly string[]): number {
  const newest = `(SELECT max(id) FROM ${type.table}) >> ${blockBits}`;
  return sources.push(`(${sources.length}, ${give(marks)}::text[], ${newest})`) - 1;
}

/** The newest that match. They are ordered by a sum, so that PostgreSQL does not walk down the ids in search of a match. */
function stepwise(type: Type, number: number, matches: string): string {
  const limit = `LIMIT ${mostOf(type.owners.length > 0)}`;
  return `SELECT m.* FROM wanted w CROSS JOIN LATERAL (SELECT (${markedQuery}) AS words OFFSET 0) x CROSS JOIN LATERAL (${matches} ${limit}) m WHERE w.source = ${number} ${limit}`;
}

const ranked = ({ index }: Place, type: Type, candidates: string, when: string): string =>
  `(SELECT ${index} AS type, c.id, c.note, ts_rank(t.words, (SELECT q FROM asked), 1) AS rank, c.created_at, c.updated_at
FROM (${candidates}) c CROSS JOIN LATERAL (SELECT ${wordsOf(type, "c")} AS words OFFSET 0) t WHERE t.words @@ (SELECT q FROM asked) AND ${when} ORDER BY coalesce(c.note, c.id) DESC LIMIT ${mostOf(type.owners.length > 0)})`;
