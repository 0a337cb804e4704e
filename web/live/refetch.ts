import type { QueryClient } from "@tanstack/react-query";
import { findEntry } from "../base/type-index.ts";
import type { Change } from "./events.ts";
import { isAnswered } from "./write-queue.ts";

// Which queries a change invalidates: the factories in web/queries declare it in `meta`. Queries on screen reload
// immediately, others when they are shown again.

export { invalidateAccount } from "./invalidate-account.ts";

/** Whether a change affects the data of a query. */
export type ChangeRule = (change: Change) => boolean;
declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { changedBy?: ChangeRule };
  }
}

/** The page already shows the reader's own change, and its response has refreshed the related data. */
export function invalidateChange(queries: QueryClient, account: string, person: number, change: Change): void {
  const collection = findEntry(change.type)?.collection;
  if (change.by === person && isAnswered(`${account}/${collection}/${change.id}`, change)) return;
  void queries.invalidateQueries({
    predicate: ({ queryKey, meta }) => queryKey[0] === account && meta?.changedBy?.(change) === true,
  });
}
