import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api } from "../api/index.ts";

export const ownTeamQueries = {
  teams: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "own teams"],
      queryFn: async () => {
        const at = `/people/${person}/teams`;
        return (await api.list("team", { at, fields: ["name"], per_page: "100" })).rows;
      },
      staleTime: 300_000,
      retry: false,
    }),
};

/** The teams of the reader, to which views and snippets can belong. */
export function useOwnTeams(enabled: boolean): readonly { id: number; name: string }[] {
  const { api, who } = useCurrentAccount();
  const { data } = useQuery({ ...ownTeamQueries.teams(api, who.person.id), enabled });
  return data ?? [];
}
