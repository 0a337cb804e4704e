import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { recordsApi } from "../../api/index.ts";
import { showError } from "../../elements/toast.tsx";
import { accountQueries } from "../../queries/account.ts";
import { type OwnSettings, profileQueries } from "../../queries/settings/profile.ts";

/** When one of these changes, every page must be reloaded: its texts and times depend on them. */
const shapes: readonly (keyof OwnSettings)[] = ["locale", "time_zone", "time_format_24h"];

/** The part of their own record that people may change. A change is shown immediately; a refusal reverts it. */
export function useOwnSettings() {
  const { who } = useCurrentAccount();
  const queries = useQueryClient();
  const api = recordsApi(who.person.account);
  const own = profileQueries.ownSettings(api);
  const { data, error, refetch } = useQuery(own);
  const [isSaved, setSaved] = useState(false);
  const write = async (change: Partial<OwnSettings>) => {
    const before = data;
    setSaved(false);
    queries.setQueryData(own.queryKey, (was) => (was === undefined ? was : { ...was, ...change }));
    try {
      await api.change("/me", change);
    } catch (problem) {
      queries.setQueryData(own.queryKey, before);
      showError(problem);
      return;
    }
    if (shapes.some((name) => Object.hasOwn(change, name)))
      // First the person with the new language and zone, then all data loaded for the old ones.
      await queries.refetchQueries({ queryKey: accountQueries.who().queryKey }).then(() => queries.invalidateQueries());
    setSaved(true);
  };
  return { data, error, refetch, isSaved, save: (change: Partial<OwnSettings>) => void write(change) };
}
