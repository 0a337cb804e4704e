import { BadRequest } from "../../base/errors.ts";
import type { ConnectionPage, ConnectionQuery } from "../../engine/graphql-connection.ts";
import { decodeCursor } from "../../engine/read/cursor.ts";
import type { SortOrder } from "../../engine/read/sort.ts";
import type { Type } from "../../engine/types.ts";
import { parseRecords, type RecordSource } from "./record-source.ts";

// Pages of connections: their arguments, their cursors, and what is shown of them.

export type PageArguments = {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
};

/** A page as the resolvers of its fields see it. */
export type PageSource = {
  nodes: readonly RecordSource[];
  edges: readonly { cursor: string; node: RecordSource }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  totalCount: number | null;
};

export type Place = { order: SortOrder; view: string };

/** Like that of REST, and bound to the order and the view of the list. */
const encodeCursor = (keyValues: readonly (string | null)[], { order, view }: Place): string =>
  Buffer.from(JSON.stringify({ offset: 0, cursor: keyValues, list: `${order.key} ${view}` })).toString("base64url");

function parseCursor(text: string | null | undefined, { order, view }: Place): (string | null)[] | null {
  if (text === null || text === undefined) return null;
  try {
    const { list } = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as { list?: unknown };
    if (list !== `${order.key} ${view}`) throw new Error();
    return decodeCursor(text, "after", order).keyValues;
  } catch {
    throw new BadRequest("Invalid cursor");
  }
}

/** The part of a query that the arguments of every connection decide. */
export function readPageArguments(
  given: PageArguments,
  place: Place,
): Pick<ConnectionQuery, "limit" | "backwards" | "after" | "before" | "order"> {
  const limit = given.first ?? given.last ?? 0;
  if (limit < 1 || limit > 100 || (given.first != null && given.last != null))
    throw new BadRequest("A connection needs first or last, from 1 to 100");
  return {
    limit,
    backwards: given.last != null,
    after: parseCursor(given.after, place),
    before: parseCursor(given.before, place),
    order: place.order,
  };
}

export function buildPageSource(type: Type, page: ConnectionPage, given: PageArguments, place: Place): PageSource {
  const nodes = parseRecords(type, page.rows);
  const backwards = given.last != null;
  const cursorAt = (index: number) => {
    const row = page.rows.at(index);
    return row === undefined ? null : encodeCursor(row.keyValues, place);
  };
  return {
    nodes,
    get edges() {
      return nodes.map((node, index) => ({ cursor: cursorAt(index) as string, node }));
    },
    get pageInfo() {
      return {
        hasNextPage: backwards ? given.before != null : page.hasMore,
        hasPreviousPage: backwards ? page.hasMore : given.after != null,
        startCursor: cursorAt(0),
        endCursor: cursorAt(-1),
      };
    },
    totalCount: page.total,
  };
}
