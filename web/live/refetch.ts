import type { QueryClient } from "@tanstack/react-query";
import { findEntry } from "../base/type-index.ts";
import type { Change } from "./events.ts";
import { isAnswered } from "./write-queue.ts";

// Which queries a change concerns: their factories in web/queries say it in `meta`. Queries on screen load again at once,
// others when they are shown again.

export { invalidateAccount } from "./invalidate-account.ts";

/** Whether a change concerns what a query has loaded. */
export type ChangeRule = (change: Change) => boolean;
declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { changedBy?: ChangeRule };
  }
}

/** The page shows the reader's own change already, and its response has renewed what belongs to it. */
export function invalidateChange(queries: QueryClient, account: string, person: number, change: Change): void {
  const collection = findEntry(change.type)?.collection;
  if (change.by === person && isAnswered(`${account}/${collection}/${change.id}`, change)) return;
  void queries.invalidateQueries({
    predicate: ({ queryKey, meta }) => queryKey[0] === account && meta?.changedBy?.(change) === true,
  });
}
