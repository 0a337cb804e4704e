import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { findEntry } from "../type-index.ts";
import type { Change } from "./events.ts";
import { isAnswered } from "./write-queue.ts";

// Which queries a change concerns. What is on screen is loaded anew, the rest when it is shown again.

export const invalidateAccount = (queries: QueryClient, account: string): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === account && queryKey[1] !== "enums" });

/** A change of one's own has been shown already, and its answer has renewed what belongs to it. */
export function invalidateChange(queries: QueryClient, account: string, person: number, change: Change): void {
  const collection = findEntry(change.type)?.collection;
  if (change.by === person && isAnswered(`${account}/${collection}/${change.id}`, change)) return;
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === account && concerns(queryKey, change, collection),
  });
}

/** Keys are [account, "record", type, id, …], and [account, …, path, …] for lists and everything below a record. */
function concerns(key: QueryKey, { type, id, kind }: Change, collection: string | undefined): boolean {
  if (key[1] === "record") return key[2] === type && String(key[3]) === String(id);
  const path = key.find((part): part is string => typeof part === "string" && part.startsWith("/"));
  if (path === undefined || collection === undefined) return false;
  const [, ofType, ofId] = path.split("/");
  if (ofType !== collection) return false;
  return ofId === undefined ? kind !== "note" || key[1] === "list" : ofId === String(id);
}
