import type { Field } from "../../../records/vocabulary/index.ts";
import { parseWorkId } from "../../../records/work/work-ids.ts";
import type { Row } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { buildReadClause, hasAnyGrant, ofReachableAccounts } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import { buildPage, type Page } from "../list.ts";
import { decodeCursor } from "../read/cursor.ts";
import { buildCursorClause, buildOrderBy, type SortOrder } from "../read/sort.ts";
import { SqlWriter } from "../sql/query.ts";
import type { Type } from "../types.ts";
import { buildExcerpt, buildWordPattern, highlightWords } from "./highlight.ts";
import {
  buildSearchTerms,
  buildTypeQueries,
  listSearchableChildren,
  pickResultLimit,
  type SearchBuilder,
} from "./sources.ts";
import { buildTsquery } from "./tsquery.ts";

// Full-text search over every type with searchable fields, in one statement per page: the newest matches of each type that
// the caller may see are found through the index of words (sources.ts), only those are ranked, and only the page is fetched.

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

const integerKey = { nullable: false, sqlType: "integer" };
const searchOrder: SortOrder = {
  key: "search",
  keys: [
    { expression: "k.worth", descending: true, nullable: false, sqlType: "double precision" },
    { expression: "k.type", descending: false, ...integerKey },
    { expression: "k.id", descending: true, ...integerKey },
  ],
  joins: [],
  sharedJoins: [],
};

/** LIKE patterns, one of which every matching text meets: it contains the longest word of one of the alternatives. */
function buildLikePatterns(text: string): string[] {
  return text.split("|").map((alternative) => {
    const words = alternative
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => /^[a-z0-9]+$/.test(word));
    return `%${words.reduce((longest, word) => (word.length > longest.length ? word : longest), "")}%`;
  });
}

export async function search(engine: Engine, by: Caller, query: SearchQuery): Promise<Page> {
  const types = query.types.filter((type) => hasAnyGrant(type, "read", by));
  const tsquery = buildTsquery(query.text);
  const backwards = query.before !== null;
  const encoded = query.after ?? query.before;
  const cursor =
    encoded === null ? null : decodeCursor(encoded, backwards ? "search_before" : "search_after", searchOrder);
  const offset = cursor === null && query.page !== null ? (query.page - 1) * query.perPage : 0;

  const sql = new SqlWriter();
  sql.addValue(tsquery); // $1, as buildSearchTerms expects
  const builder: SearchBuilder = {
    engine,
    by,
    sql,
    workId: parseWorkId(query.text),
    likePatterns: buildLikePatterns(query.text),
    sources: [],
    visibleIdQueries: [],
  };
  const matches = types.flatMap((type, index) => buildTypeQueries(builder, type, index));
  if (tsquery === "" || matches.length === 0) return emptyPage(query.perPage, by);

  const worth = query.sort === "relevance" ? "max(f.rank)" : `max(extract(epoch FROM f.${query.sort}))`;
  const where =
    cursor === null ? "" : `WHERE ${sql.add(buildCursorClause(searchOrder, cursor.keyValues, backwards), "k")}`;
  const results = types.map((type, index) => `WHEN ${index} THEN ${buildResultColumns(builder, type)}`).join(" ");
  const text = [
    `WITH ${[buildSearchTerms(builder.sources), ...builder.visibleIdQueries].join(",\n")},`,
    `found AS MATERIALIZED (${matches.join("\nUNION ALL ")}),`,
    `k AS MATERIALIZED (SELECT f.type, f.id, ${worth}::double precision AS worth, max(f.note) AS note FROM found f GROUP BY f.type, f.id),`,
    `page AS MATERIALIZED (SELECT * FROM k ${where} ORDER BY ${buildOrderBy(searchOrder, backwards)} LIMIT ${query.perPage + 1}${offset > 0 ? ` OFFSET ${sql.addValue(offset)}` : ""})`,
    `SELECT k.worth::text, k.type::text, k.id::text, (SELECT count(*) FROM k),`,
    `EXISTS (SELECT 1 FROM found GROUP BY type, note IS NULL HAVING count(DISTINCT coalesce(note, id)) >= CASE WHEN note IS NULL THEN ${pickResultLimit(false)} ELSE ${pickResultLimit(true)} END),`,
    `CASE k.type ${results} END FROM page k ORDER BY ${buildOrderBy(searchOrder, backwards)}`,
  ].join("\n");
  const built = engine.statements.get(`search#${text}`, () => text);
  const rows = await engine.database.readMany({ ...built, plannedOnce: true }, sql.values, by, "high");

  const hasMore = rows.length > query.perPage;
  if (hasMore) rows.pop();
  if (backwards) rows.reverse();
  const words = buildWordPattern(query.text);
  const total = rows.length > 0 ? Number(rows[0]?.[3]) : 0;
  const page = buildPage(rows, {
    total,
    cap: null,
    hasMore,
    backwards,
    cursor,
    offset,
    perPage: query.perPage,
    order: searchOrder,
    shape: { write: (row) => writeResult(types, row, words, by) },
    by,
  });
  return { ...page, throttled: rows[0]?.[4] === "t" };
}

const emptyPage = (perPage: number, by: Caller): Page =>
  buildPage([], {
    total: 0,
    cap: null,
    hasMore: false,
    backwards: false,
    cursor: null,
    offset: 0,
    perPage,
    order: searchOrder,
    shape: { write: () => "" },
    by,
  });

const andReachable = ({ by, sql }: SearchBuilder, type: Type, alias: string): string =>
  type.placement === "account" ? ` AND ${sql.add(ofReachableAccounts(by), alias)}` : "";

/** Title, picture and details of a row, as JSON. */
function buildResultColumns(builder: SearchBuilder, type: Type): string {
  const column = (name: string) => `a.${quoteIdentifier(type.columns.get(name) ?? name)}`;
  const title = `coalesce(${column(type.display)}, ${column(type.searchable[0] as string)})`;
  const picture = type.routes.hasAvatar ? column("picture_uri") : "NULL";
  return `(SELECT json_build_array(${title}, ${picture}, ${buildDetails(builder, type)})::text FROM ${type.table} a WHERE a.id = k.id${andReachable(builder, type, "a")})`;
}

/**
 * The matching note, or the last one that the caller may read; for types without notes, the text of the matching
 * translation or the first text field.
 */
function buildDetails(builder: SearchBuilder, type: Type): string {
  const { engine, by, sql } = builder;
  const texts = listSearchableChildren(engine.types, type).map(({ child, column }) => {
    const longText = findLongText(child) ?? (child.searchable[0] as string);
    const text = `n.${quoteIdentifier(child.columns.get(longText) as string)}`;
    const matching = `WHEN k.note IS NOT NULL THEN (SELECT ${text} FROM ${child.table} n WHERE n.id = k.note${andReachable(builder, child, "n")})`;
    // Entries with a title (translations) repeat their owner and show only if they match; of notes, the latest shows otherwise.
    if (longText !== child.searchable[0]) return `CASE ${matching} END`;
    const visible = sql.add(buildReadClause(child, by, engine.rules, true), "n");
    return `CASE ${matching} ELSE (SELECT ${text} FROM ${child.table} n WHERE n.${column} = k.id AND ${visible} ORDER BY n.id DESC LIMIT 1) END`;
  });
  const ownText = findLongText(type);
  if (ownText !== undefined) texts.push(`a.${quoteIdentifier(type.columns.get(ownText) as string)}`);
  return texts.length === 0 ? "NULL" : `coalesce(${texts.join(", ")})`;
}

const findLongText = (type: Type): string | undefined =>
  type.searchable.find((name) => getKind(type.fields[name] as Field).isLongText);

function writeResult(types: readonly Type[], row: Row, words: RegExp, by: Caller): string {
  const [, index, id, , , json] = row;
  const [title, picture, details] = JSON.parse(json ?? "[]") as (string | null | undefined)[];
  const type = types[Number(index)] as Type;
  return JSON.stringify({
    id: Number(id),
    type: type.scopeName,
    title: title ?? "",
    ...(details == null ? {} : { details: buildExcerpt(details, words) }),
    highlights: {
      title: highlightWords(title ?? "", words),
      ...(details == null ? {} : { details: highlightWords(buildExcerpt(details, words), words) }),
    },
    url: `${by.origin}/v1/${type.collection}/${id}`,
    ...(picture == null ? {} : { avatar_url: picture }),
  });
}
