import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../api/index.ts";
import { whoQueries } from "./signed-in-person.ts";

// The signed-in person, the account itself, and data that hardly ever changes in it.

export const accountQueries = {
  /** Prefix of all data of the account. */
  all: (api: Pick<Api, "account">) => [api.account] as const,
  /** For all accounts: the signed-in person. */
  who: whoQueries.who,
  account: (api: Api) =>
    queryOptions({ queryKey: [api.account, "account"], queryFn: () => api.call("GET /account", {}) }),
  /** Labels of all choices, in the reader's language. */
  enums: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "enums"],
      queryFn: () => api.call("GET /enums", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
