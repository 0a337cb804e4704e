import { BadRequest } from "../../base/errors.ts";
import { buildMarkedWords, buildMarkPrefix } from "../../schema/tables/search-index.ts";
import { pickAccounts } from "../access.ts";
import type { Caller } from "../caller.ts";
import { buildSharedRows } from "../overlays.ts";
import { anyOf, type Clause, never } from "../sql/clauses.ts";
import type { Type } from "../types.ts";
import { blockSource, buildSearchTerms, escapeMark, markedQuery } from "./sources.ts";
import { buildTsquery } from "./tsquery.ts";

// The parameter `q` of lists: the words of a record, found in the index of the search and combined with all filters (D-232).

/** More matches of an account are not looked at: the newest ones count. */
const maxMatches = 100_000;
const maxLength = 255;

/** Owned records have no collection in which people look for words. */
export const isListSearchable = (type: Type): boolean => type.searchable.length > 0 && type.owners.length === 0;

export function buildWordsClause(type: Type, by: Caller, given: string): Clause {
  const text = given.trim();
  if (text.length > maxLength) throw new BadRequest(`Parameter 'q' is longer than ${maxLength} characters`);
  const tsquery = buildTsquery(text);
  if (tsquery === "") return never;
  const shared = (buildSharedRows(type, by)?.others ?? []).flatMap(({ recordAccounts }) => recordAccounts);
  const accounts = [...new Set([...pickAccounts(type, by), ...shared])];
  const marks = [...new Set(accounts.map((account) => escapeMark(buildMarkPrefix(type, account, null))))];
  const active = type.deletion.archivable === null ? "" : "r.life_cycle = 'active' AND ";
  const words: Clause = {
    key: "words",
    sql(alias, next) {
      const [query, list] = [next(), next()];
      const places = type.placement === "account" ? next() : "";
      const terms = buildSearchTerms([blockSource(0, list, type, places)], query);
      const ofAccounts = type.placement === "account" ? `r.account_id = ANY(${places}::text[]) AND ` : "";
      const matches = `SELECT r.id FROM ${type.table} r WHERE ${active}${ofAccounts}${buildMarkedWords(type, [], "r")} @@ x.words OFFSET 0`;
      return `${alias}.id IN (WITH ${terms} SELECT m.id FROM wanted w CROSS JOIN LATERAL (SELECT (${markedQuery}) AS words OFFSET 0) x CROSS JOIN LATERAL (${matches}) m LIMIT ${maxMatches})`;
    },
    values: type.placement === "account" ? [tsquery, marks, accounts] : [tsquery, marks],
  };
  if (!/^\d{1,9}$/.test(text)) return words;
  const ofId: Clause = { key: "id", sql: (alias, next) => `${alias}.id = ${next()}::integer`, values: [Number(text)] };
  return anyOf([words, ofId]);
}
