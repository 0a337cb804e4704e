import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfTypes } from "../change-rules.ts";

const newest = { sort: "-updated_at", per_page: "10" };

export const provisioningQueries = {
  /** prefix of all keys of the subject */
  all: (api: Api) => [api.account, "provisioning"] as const,
  state: (api: Api) =>
    queryOptions({
      queryKey: [...provisioningQueries.all(api), "state"],
      queryFn: () => api.call("GET /scim", {}),
    }),
  users: (api: Api, onlyFailed: boolean) =>
    queryOptions({
      queryKey: [...provisioningQueries.all(api), "users", onlyFailed],
      queryFn: () =>
        api.list("scim_user", {
          fields: ["user_name", "active", "deleted", "person", "last_error", "updated_at"],
          ...newest,
          ...(onlyFailed ? { at: "/scim_users/failed" } : {}),
        }),
      meta: { changedBy: changesOfTypes("scim_user") },
    }),
  groups: (api: Api) =>
    queryOptions({
      queryKey: [...provisioningQueries.all(api), "groups"],
      queryFn: () =>
        api.list("scim_group", {
          fields: [
            "display_name",
            "members_count",
            "classification",
            "organization",
            "site",
            "last_error",
            "updated_at",
          ],
          ...newest,
        }),
      meta: { changedBy: changesOfTypes("scim_group") },
    }),
};
