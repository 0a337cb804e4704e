import { queryOptions, useQuery } from "@tanstack/react-query";
import { sessionApi } from "../api/index.ts";

// A file of its own: the frame of every page needs it and nothing else of the shared hooks.

export const whoQueries = {
  /** Who is signed in, with all their accounts. */
  who: () => queryOptions({ queryKey: ["who"], queryFn: sessionApi.whoAmI, staleTime: Number.POSITIVE_INFINITY }),
};

export const useWhoAmI = () => useQuery(whoQueries.who());
