import type { Value as SqlValue } from "../storage/database.ts";
import { quoted } from "../storage/schema/model.ts";
import { blockBits, blocksOfStep, markedWordsOf, markOf, steps, wordsOf } from "../storage/schema/words.ts";
import { accountsOf, readableRows } from "./access.ts";
import type { Caller } from "./caller.ts";
import { alternatives, type Clause, oneOfAccounts } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import { homeColumn, sightOf } from "./sides.ts";
import type { Type, Types } from "./types.ts";

// Where the search looks. A source is an index of words, asked for what one kind of right lets the caller see: it goes
// through the blocks of ids from the newest on, and stops when it has enough. Only what it gives is ranked.

/** So many records of a type are ranked, and so many of what it owns; older ones are not shown. */
export const mostOf = (owned: boolean): number => (owned ? 60 : 200);

export type Finder = {
  engine: Engine;
  by: Caller;
  give: (value: SqlValue) => string;
  put: (clause: Clause, alias: string) => string;
  /** what was typed, when it may be the number of a record */
  id: number | null;
  /** rows of the table of sources: number, marks, newest block, first step */
  sources: string[];
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

/** The words asked for, and for each source and step the same words with the marks of its blocks. */
export function askedSql(sources: readonly string[]): string {
  const { from, until } = blocksOfStep("s", "v.first", "v.newest");
  // Words with marks have no places any more: words that follow each other become words that are all there.
  const text = "nullif(regexp_replace(q::text, '<(-|[0-9]+)>', '&', 'g'), '')";
  const marked = "'(' || replace(' ' || asked.t, ' ''', ' ''' || m || b || '/') || ')'";
  return `asked AS MATERIALIZED (SELECT q, ${text} AS t FROM to_tsquery('simple'::regconfig, $1) q),
wanted AS MATERIALIZED (SELECT v.source, (SELECT string_agg(${marked}, '|')::tsquery FROM unnest(v.marks) m, generate_series(${from}, ${until}) b) AS words
FROM asked, (VALUES ${sources.join(", ")}) v(source, marks, newest, first), generate_series(v.first, ${steps - 1}) s WHERE asked.t IS NOT NULL AND ${until} >= 0 ORDER BY v.source, s)`;
}

/** What a type gives: records by their own words, by the words of what they own, and the one of that number. */
export function branches(finder: Finder, type: Type, index: number): string[] {
  const { engine, by, give, put } = finder;
  const active = type.archivable === null ? "true" : "a.life_cycle = 'active'";
  const rights = readableRows(type, by, engine.rules);
  const wide = rights.key === oneOfAccounts(type.accountColumn, accountsOf(type, by)).key;
  const sight = sightOf(type, by);
  const places: Place[] = [{ accounts: accountsOf(type, by), table: () => type.table, home: "account_id" }];
  if (sight !== null)
    places.push({
      accounts: by.accountRecord.trustedBy,
      table: () => sight.shared(...(sight.values.map(give) as [string, string])),
      home: homeColumn(type, sight),
    });
  const found: string[] = [];
  // Who sees all of an account finds enough in its newest blocks. Who sees a few records looks through all at once,
  // so that PostgreSQL can lay those with the words and those of the person over each other.
  for (const place of places)
    for (const right of wide || !type.grows ? [rights] : alternatives(rights)) {
      const from = (of: Type, owner: string | null) => {
        const marks = [...new Set(place.accounts.map((account) => inQuotes(markOf(of, account, owner))))];
        return source(finder, of, marks, wide ? 0 : steps - 1);
      };
      const where = () => `${active} AND ${put(right, "a")}`;
      found.push(
        ranked(index, type, from(type, null), (words) => {
          const matches = `${markedWordsOf(type, [], "a", place.home)} @@ ${words}`;
          return `SELECT a.id, NULL::integer AS note, ${texts(type, "a")}, a.created_at, a.updated_at FROM ${place.table()} a WHERE ${matches} AND ${where()} ORDER BY a.id + 0 DESC`;
        }),
      );
      for (const { child, column } of searchedBelow(engine.types, type))
        found.push(
          ranked(index, child, from(child, type.name), (words) => {
            const matches = `${markedWordsOf(child, searchedOwners(engine.types, child), "n")} @@ ${words}`;
            const visible = put(readableRows(child, by, engine.rules, true), "n");
            return `SELECT a.id, n.id AS note, ${texts(child, "n")}, a.created_at, a.updated_at FROM ${child.table} n JOIN ${place.table()} a ON a.id = n.${column} WHERE ${matches} AND ${visible} AND ${where()} ORDER BY n.id + 0 DESC`;
          }),
        );
      if (finder.id !== null)
        found.push(
          `(SELECT ${index} AS type, a.id, NULL::integer AS note, 2::real AS rank, a.created_at, a.updated_at FROM ${place.table()} a WHERE a.id = ${give(finder.id)} AND ${where()})`,
        );
    }
  return found;
}

/** Where rows of a type are: in the accounts of the call, or shared by others. */
type Place = { accounts: readonly string[]; table: () => string; home: string };

const searchedOwners = (types: Types, child: Type): readonly string[] =>
  child.ownedBy.filter((name) => types.named(name).searchable.length > 0);

const inQuotes = (mark: string): string => mark.replaceAll("\\", "\\\\").replaceAll("'", "''");

const texts = (type: Type, alias: string): string =>
  type.searchable.map((name) => `${alias}.${quoted(type.columns.get(name) as string)}`).join(", ");

/** Enters a source in the table of sources; its number. */
function source({ sources, give }: Finder, type: Type, marks: readonly string[], first: number): number {
  const number = sources.length;
  const newest = `(SELECT max(id) FROM ${type.table}) >> ${blockBits}`;
  sources.push(`(${number}, ${give(marks)}::text[], ${newest}, ${first})`);
  return number;
}

/** The newest that match, with what each is worth. The order of the ids is that of an addition: none can walk an index. */
function ranked(index: number, type: Type, number: number, matches: (words: string) => string): string {
  const limit = `LIMIT ${mostOf(type.owners.length > 0)}`;
  const newest = `SELECT m.* FROM wanted w CROSS JOIN LATERAL (${matches("w.words")} ${limit}) m WHERE w.source = ${number} ${limit}`;
  return `(SELECT ${index} AS type, c.id, c.note, ts_rank(t.words, (SELECT q FROM asked), 1) AS rank, c.created_at, c.updated_at
FROM (${newest}) c CROSS JOIN LATERAL (SELECT ${wordsOf(type, "c")} AS words OFFSET 0) t WHERE t.words @@ (SELECT q FROM asked))`;
}
