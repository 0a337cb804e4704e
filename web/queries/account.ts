import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../api/index.ts";
import { whoQueries } from "./who.ts";

// Who is there, the account itself, and what hardly ever changes in it.

export const accountQueries = {
  /** Prefix of everything that was loaded of the account. */
  all: (api: Pick<Api, "account">) => [api.account] as const,
  /** Of all accounts: who is signed in. */
  who: whoQueries.who,
  account: (api: Api) =>
    queryOptions({ queryKey: [api.account, "account"], queryFn: () => api.call("GET /account", {}) }),
  /** Labels of all choices, in the language of the reader. */
  enums: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "enums"],
      queryFn: () => api.call("GET /enums", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
