import type { QueryClient } from "@tanstack/react-query";

// A separate file, so that the portal can load it without the write queue.

export const invalidateAccount = (queries: QueryClient, account: string): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === account && queryKey[1] !== "enums" });
