import type { QueryClient } from "@tanstack/react-query";

// A file of its own: the portal loads it without the queue of writes.

export const invalidateAccount = (queries: QueryClient, account: string): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === account && queryKey[1] !== "enums" });
