import type { Row, Value as SqlValue } from "../storage/database.ts";
import { accountMark, blockMark, blockOf, wordsOf } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import { accountsOf, mayAtAll, readableRows } from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Clause } from "./clauses.ts";
import { readCursor } from "./cursor.ts";
import type { Engine } from "./engine.ts";
import { highlighted, pattern, startOf } from "./highlight.ts";
import { type Page, paged } from "./list.ts";
import { behind, type Order, orderBy } from "./sort.ts";
import type { Type, Types } from "./types.ts";

// Full text over every type that has searchable fields. One statement per page: each type gives its newest matches that
// the caller may see, found through the index of its words; only those are ranked, and only the page is fetched.

export type SearchSort = "relevance" | "updated_at" | "created_at";
export type SearchQuery = {
  text: string;
  types: readonly Type[];
  sort: SearchSort;
  perPage: number;
  page: number | null;
  after: string | null;
  before: string | null;
};

/** So many matches of a type are ranked, and as many found by its notes; older ones are not shown. */
const most = 200;

const integer = { nullable: false, sql: "integer" };
const order: Order = {
  key: "search",
  keys: [
    { expression: "k.worth", descending: true, nullable: false, sql: "double precision" },
    { expression: "k.type", descending: false, ...integer },
    { expression: "k.id", descending: true, ...integer },
  ],
  joins: [],
};

/** Types that are searched by themselves; what is owned leads to its owner. */
export const searchedTypes = (types: Types): readonly Type[] =>
  types.all.filter((type) => type.searchable.length > 0 && type.owners.length === 0);

/** "red|green appl" as PostgreSQL asks for it: 'red' | 'green' & 'appl':*. The last word may be unfinished. */
export function tsqueryOf(text: string): string {
  const groups = text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .split("|")
    .map((group) => group.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))
    .filter((group) => group.length > 0);
  const quotedWords = groups.map((group) =>
    group.map((word) => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`),
  );
  const last = quotedWords.at(-1);
  if (last === undefined) return "";
  last.push(`${last.pop()}:*`);
  return quotedWords.map((group) => `(${group.join(" & ")})`).join(" | ");
}

export async function search(engine: Engine, by: Caller, query: SearchQuery): Promise<Page> {
  const types = query.types.filter((type) => mayAtAll(type, "read", by));
  const asked = tsqueryOf(query.text);
  const backwards = query.before !== null;
  const given = query.after ?? query.before;
  const cursor = given === null ? null : readCursor(given, backwards ? "search_before" : "search_after", order);
  const place = cursor === null ? null : behind(order, cursor.place, backwards);
  const offset = cursor === null && query.page !== null ? (query.page - 1) * query.perPage : 0;

  const values: SqlValue[] = [asked];
  const give = (value: SqlValue) => {
    values.push(value);
    return `$${values.length}`;
  };
  /** A clause keeps its values in the order of its placeholders. */
  const put = (clause: Clause, alias: string) => {
    const remaining = [...clause.values];
    return clause.sql(alias, () => give(remaining.shift() as SqlValue));
  };
  const id = /^\d{1,9}$/.test(query.text) ? Number(query.text) : null;
  const finder: Finder = { engine, by, give, put, id, recent: [] };
  const found = types.flatMap((type, index) => branches(finder, type, index));
  if (asked === "" || found.length === 0) return empty(query.perPage, by);

  const worth = query.sort === "relevance" ? "max(f.rank)" : `max(extract(epoch FROM f.${query.sort}))`;
  const further = place === null ? "" : `WHERE ${put(place, "k")}`;
  const shown = types.map((type, index) => `WHEN ${index} THEN ${shownOf(finder, type)}`).join(" ");
  const text = [
    `WITH ${finder.recent.map((rows, index) => `recent${index} AS MATERIALIZED ${rows},\n`).join("")}`,
    `found AS MATERIALIZED (${found.join("\nUNION ALL ")}),`,
    `k AS MATERIALIZED (SELECT f.type, f.id, ${worth}::double precision AS worth, max(f.note) AS note FROM found f GROUP BY f.type, f.id),`,
    `page AS MATERIALIZED (SELECT * FROM k ${further} ORDER BY ${orderBy(order, backwards)} LIMIT ${query.perPage + 1}${offset > 0 ? ` OFFSET ${give(offset)}` : ""})`,
    `SELECT k.worth::text, k.type::text, k.id::text, (SELECT count(*) FROM k),`,
    `EXISTS (SELECT 1 FROM found GROUP BY type, note IS NULL HAVING count(DISTINCT coalesce(note, id)) >= ${most}),`,
    `CASE k.type ${shown} END FROM page k ORDER BY ${orderBy(order, backwards)}`,
  ].join("\n");
  const rows = await engine.database.read(
    engine.statements.get(`search#${text}`, () => text),
    values,
    by.zone,
  );

  const more = rows.length > query.perPage;
  if (more) rows.pop();
  if (backwards) rows.reverse();
  const words = pattern(query.text);
  const total = rows.length > 0 ? Number(rows[0]?.[3]) : 0;
  const page = paged(rows, {
    total,
    cap: null,
    more,
    backwards,
    cursor,
    offset,
    perPage: query.perPage,
    order,
    shape: { write: (row) => written(types, row, words, by) },
    by,
  });
  return { ...page, throttled: rows[0]?.[4] === "t" };
}

const empty = (perPage: number, by: Caller): Page =>
  paged([], {
    total: 0,
    cap: null,
    more: false,
    backwards: false,
    cursor: null,
    offset: 0,
    perPage,
    order,
    shape: { write: () => "" },
    by,
  });

type Finder = {
  engine: Engine;
  by: Caller;
  give: (value: SqlValue) => string;
  put: (clause: Clause, alias: string) => string;
  /** what was typed, when it may be the number of a record */
  id: number | null;
  /** matches among the newest rows of large tables */
  recent: string[];
};

const asked = "to_tsquery('simple'::regconfig, $1)";

/** Records of other accounts cannot be found by the account; all others are, inside the index. */
function inAccounts(type: Type, { by, give }: Finder): string {
  if (type.acrossAccounts !== null) return asked;
  const accounts = accountsOf(type, by).map((account) => `'${accountMark}${account.replaceAll("'", "''")}'`);
  return `(${asked} && ${give(accounts.join(" | "))}::tsquery)`;
}

/** What a type gives: records by their own words, by the words of what they own, and the one of that number. */
function branches(finder: Finder, type: Type, index: number): string[] {
  const { engine, by, give, put } = finder;
  const active = type.archivable === null ? "true" : "a.life_cycle = 'active'";
  const rights = () => put(readableRows(type, by, engine.rules), "a");
  const row = (rank: string, note: string) =>
    `SELECT ${index} AS type, a.id, ${note} AS note, ${rank} AS rank, a.created_at, a.updated_at`;
  const query = inAccounts(type, finder);
  const none = "NULL::integer";
  const found = newest(finder, {
    of: type,
    alias: "a",
    query,
    rows: (rank) => `${row(rank, none)} FROM ${type.table} a WHERE ${active} AND ${rights()}`,
  });
  for (const { child, column } of searchedBelow(engine.types, type))
    found.push(
      ...newest(finder, {
        of: child,
        alias: "n",
        query,
        rows: (rank) =>
          `${row(rank, "n.id")} FROM ${child.table} n JOIN ${type.table} a ON a.id = n.${column} WHERE n.${column} IS NOT NULL AND ${put(readableRows(child, by, engine.rules, true), "n")} AND ${active} AND ${rights()}`,
      }),
    );
  if (finder.id !== null)
    found.push(
      `(${row("2::real", none)} FROM ${type.table} a WHERE a.id = ${give(finder.id)} AND ${active} AND ${rights()})`,
    );
  return found;
}

type Source = { of: Type; alias: string; query: string; rows: (rank: string) => string };

/**
 * The newest matches, ranked. A common word matches a good part of a large table: there, its last blocks of ids are looked
 * through first, and all of it only when they have too little.
 */
function newest(finder: Finder, { of, alias, query, rows }: Source): string[] {
  const words = wordsOf(of, alias);
  const matching = (wanted: string, gate = "") =>
    // The sum keeps PostgreSQL from walking down an index of ids in the hope of an early match.
    `(${rows(`ts_rank(${words}, ${asked}, 1)`)} AND (${words}) @@ ${wanted} AND numnode(${asked}) > 0${gate} ORDER BY ${alias}.id + 0 DESC LIMIT ${most})`;
  if (!of.grows) return [matching(query)];
  const last = blockOf("max(b.id)");
  const blocks = `(SELECT format('''${blockMark}%s'' | ''${blockMark}%s''', ${last}, ${last} - 1)::tsquery FROM ${of.table} b)`;
  const name = `recent${finder.recent.push(matching(`(${query} && ${blocks})`)) - 1}`;
  return [`SELECT * FROM ${name}`, matching(query, ` AND (SELECT count(*) FROM ${name}) < ${most}`)];
}

/** Owned types whose words lead to records of this type. */
const searchedBelow = (types: Types, type: Type): { child: Type; column: string }[] =>
  types.all
    .filter((child) => child.searchable.length > 0)
    .flatMap((child) =>
      child.owners.filter((owner) => owner.type === type).map(({ column }) => ({ child, column: quoted(column) })),
    );

/** Title, picture and details of a row, as JSON. */
function shownOf(finder: Finder, type: Type): string {
  const column = (name: string) => `a.${quoted(type.columns.get(name) ?? name)}`;
  const title = `coalesce(${column(type.display)}, ${column(type.searchable[0] as string)})`;
  const picture = type.hasAvatar ? column("picture_uri") : "NULL";
  return `(SELECT json_build_array(${title}, ${picture}, ${detailsOf(finder, type)})::text FROM ${type.table} a WHERE a.id = k.id)`;
}

/** The note that was found, or the last one that the caller may read; for types without, the first longer text. */
function detailsOf({ engine, by, put }: Finder, type: Type): string {
  const longer = type.searchable.find((name) => type.fields[name]?.kind === "text");
  const texts = searchedBelow(engine.types, type).map(({ child, column }) => {
    const text = `n.${quoted(child.columns.get(child.searchable[0] as string) as string)}`;
    const visible = put(readableRows(child, by, engine.rules, true), "n");
    return `CASE WHEN k.note IS NOT NULL THEN (SELECT ${text} FROM ${child.table} n WHERE n.id = k.note) ELSE (SELECT ${text} FROM ${child.table} n WHERE n.${column} = k.id AND ${visible} ORDER BY n.id DESC LIMIT 1) END`;
  });
  if (longer !== undefined) texts.push(`a.${quoted(type.columns.get(longer) as string)}`);
  return texts.length === 0 ? "NULL" : `coalesce(${texts.join(", ")})`;
}

function written(types: readonly Type[], row: Row, words: RegExp, by: Caller): string {
  const [, index, id, , , json] = row;
  const [title, picture, details] = JSON.parse(json ?? "[]") as (string | null | undefined)[];
  const type = types[Number(index)] as Type;
  return JSON.stringify({
    id: Number(id),
    type: type.scopeName,
    title: title ?? "",
    ...(details == null ? {} : { details: startOf(details, words) }),
    highlights: {
      title: highlighted(title ?? "", words),
      ...(details == null ? {} : { details: highlighted(startOf(details, words), words) }),
    },
    url: `${by.origin}/v1/${type.collection}/${id}`,
    ...(picture == null ? {} : { avatar_url: picture }),
  });
}
