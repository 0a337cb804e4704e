import { queryOptions } from "@tanstack/react-query";
import { administrationApi } from "../../api/administration.ts";
import type { Api } from "../../api/index.ts";

// Roles and rights change by calls of their own, which invalidate them; a change of the person's record does not.

export const personQueries = {
  roles: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "roles of", person],
      queryFn: () => api.call("GET /people/:id/permissions", { id: person }),
    }),
  /** Prefix of everything that says what a person may do. */
  allRights: (api: Api, person: number) => [api.account, "rights", person] as const,
  /** `on`: a type or a record; without it one entry for each type. */
  rights: (api: Api, person: number, on?: string) =>
    queryOptions({
      queryKey: [...personQueries.allRights(api, person), on ?? null],
      queryFn: async () => [await api.call("GET /people/:id/rights", { id: person, on })].flat(),
    }),
  /** For administrators of the account of the person. */
  signInMethods: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "sign-in methods", person],
      queryFn: () => administrationApi(api.account).signInMethods(person),
      retry: false,
    }),
};
