import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { recordsApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { showError } from "../../parts/toast.tsx";

export type OwnSettings = {
  id: number;
  name: string;
  primary_email: string;
  job_title: string | null;
  locale: string;
  time_zone: string;
  time_format_24h: boolean;
  picture_uri: string | null;
  send_email_notifications: string;
  show_notification_popup: string;
  exclude_team_notifications: boolean;
};

/** What the page itself is made by: everything shown is made anew when one of these changes. */
const shapes: readonly (keyof OwnSettings)[] = ["locale", "time_zone", "time_format_24h"];

/** The own record as far as everybody may change theirs; a change shows at once and goes back if it is refused. */
export function useOwnSettings() {
  const { who } = useCurrentAccount();
  const queries = useQueryClient();
  const api = recordsApi(who.person.account);
  const key = ["own settings"];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.get<OwnSettings>("/me") });
  const [isSaved, setSaved] = useState(false);
  const write = async (change: Partial<OwnSettings>) => {
    const before = data;
    setSaved(false);
    queries.setQueryData<OwnSettings>(key, (was) => (was === undefined ? was : { ...was, ...change }));
    try {
      await api.change("/me", change);
    } catch (problem) {
      queries.setQueryData(key, before);
      showError(problem);
      return;
    }
    if (Object.keys(change).some((name) => (shapes as readonly string[]).includes(name)))
      // First who it is, with the new language and zone; then everything that was read for the old ones.
      await queries.refetchQueries({ queryKey: ["who"] }).then(() => queries.invalidateQueries());
    setSaved(true);
  };
  return { data, error, refetch, isSaved, save: (change: Partial<OwnSettings>) => void write(change) };
}
