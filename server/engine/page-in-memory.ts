import { BadRequest } from "../base/errors.ts";
import type { Row } from "../database/database.ts";
import type { Caller } from "./caller.ts";
import { buildPage, type Page } from "./list.ts";
import { decodeCursor } from "./read/cursor.ts";
import type { ListQuery } from "./read/list-query.ts";
import type { SortOrder } from "./read/sort.ts";

// Short lists that are no records are loaded whole, and paged like lists of records.

const byKey: SortOrder = {
  key: "key",
  keys: [{ expression: "key", descending: false, nullable: false, sqlType: "text" }],
  joins: [],
  sharedJoins: [],
};

/** A page of entries that are sorted by their keys; they cannot be filtered or sorted otherwise. */
export function buildPageInMemory(
  entries: readonly { key: string; json: string }[],
  query: ListQuery,
  by: Caller,
): Page {
  refuseOtherParameters(query);
  const { perPage, after, before } = query;
  const backwards = before !== null;
  const cursor =
    after !== null
      ? decodeCursor(after, "search_after", byKey)
      : before !== null
        ? decodeCursor(before, "search_before", byKey)
        : null;
  const limit = cursor?.keyValues[0] ?? "";
  const offset = cursor === null && query.page !== null ? (query.page - 1) * perPage : 0;
  const reached =
    cursor === null ? entries.slice(offset) : entries.filter(({ key }) => (backwards ? key < limit : key > limit));
  const found = backwards ? reached.slice(-perPage) : reached.slice(0, perPage);
  const rows: Row[] = found.map(({ key, json }) => [key, String(entries.length), json]);
  return buildPage(rows, {
    ...{ total: entries.length, cap: null, hasMore: reached.length > perPage, backwards, cursor, offset, perPage },
    ...{ order: byKey, by, shape: { write: (row: Row, at: number) => row[at] as string } },
  });
}

function refuseOtherParameters(query: ListQuery): void {
  const unknown = query.filters.map(({ name }) => name);
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${[...new Set(unknown)].join(", ")}`);
  if (query.sort !== null) throw new BadRequest(`Sorting not allowed on fields: ${query.sort.slice(0, 100)}`);
  for (const state of query.views) throw new BadRequest(`Invalid value for parameter 'state': ${state.slice(0, 100)}`);
}
