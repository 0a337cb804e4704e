import { queryOptions } from "@tanstack/react-query";
import { administrationApi } from "../../api/administration.ts";
import type { Api } from "../../api/index.ts";

// Roles and rights are changed by separate calls, which invalidate them; a change of the person's record doesn't.

export const personQueries = {
  roles: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "roles of", person],
      queryFn: () => api.call("GET /people/:id/permissions", { id: person }),
    }),
  /** Prefix of all queries about a person's permissions. */
  allRights: (api: Api, person: number) => [api.account, "rights", person] as const,
  /** `on`: a type or a record; without it, one entry for each type. */
  rights: (api: Api, person: number, on?: string) =>
    queryOptions({
      queryKey: [...personQueries.allRights(api, person), on ?? null],
      queryFn: async () => [await api.call("GET /people/:id/rights", { id: person, on })].flat(),
    }),
  /** For administrators of the person's account. */
  signInMethods: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "sign-in methods", person],
      queryFn: () => administrationApi(api.account).signInMethods(person),
      retry: false,
    }),
};
