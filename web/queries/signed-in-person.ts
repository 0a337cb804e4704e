import { queryOptions, useQuery } from "@tanstack/react-query";
import { sessionApi } from "../api/index.ts";

// A separate file: the frame of every page needs it and nothing else of the shared hooks.

export const whoQueries = {
  /** The signed-in person, with all their accounts. */
  who: () => queryOptions({ queryKey: ["who"], queryFn: sessionApi.whoAmI, staleTime: Number.POSITIVE_INFINITY }),
};

export const useWhoAmI = () => useQuery(whoQueries.who());
