import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../current-account.ts";

/** The teams of the reader, to which views and snippets can belong. */
export function useOwnTeams(enabled: boolean): readonly { id: number; name: string }[] {
  const { account, api, who } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "own teams"],
    queryFn: async () => {
      const { rows } = await api.list(`/people/${who.person.id}/teams`, { fields: "name", per_page: "100" });
      return rows.map(({ id, name }) => ({ id, name: String(name) }));
    },
    enabled,
    staleTime: 300_000,
    retry: false,
  });
  return data ?? [];
}
