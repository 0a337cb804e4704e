import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { profileApi } from "../../api/profile.ts";
import { changesOfTypes } from "../change-rules.ts";

// Data of the signed-in person. Most of it is the same in every account, so these keys contain none.

export const profileQueries = {
  sessions: () => queryOptions({ queryKey: ["sessions"], queryFn: profileApi.sessions }),
  tokens: () => queryOptions({ queryKey: ["tokens"], queryFn: profileApi.tokens }),
  tokenRules: () => queryOptions({ queryKey: ["token rules"], queryFn: profileApi.tokenRules }),
  authorizations: () => queryOptions({ queryKey: ["authorizations"], queryFn: profileApi.authorizations }),
  secondFactor: () => queryOptions({ queryKey: ["second factor"], queryFn: profileApi.secondFactor }),
  passkeys: () => queryOptions({ queryKey: ["passkeys"], queryFn: profileApi.passkeys }),
  /** `api`: that of the person's own account */
  ownSettings: (api: Api) => queryOptions({ queryKey: ["own settings"], queryFn: () => api.get<OwnSettings>("/me") }),
  away: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "away", person],
      queryFn: () =>
        api.list("out_of_office_period", {
          fields: ["start_at", "end_at", "reason", "approval_delegate"],
          ...{ person: String(person), end_at: `>${new Date().toISOString()}`, sort: "start_at" },
        }),
      meta: { changedBy: changesOfTypes("out_of_office_period") },
    }),
};

/** For each kind of notification, whether it reaches the person in the page and by email. */
export type StoredChoices = Partial<Record<string, Partial<Record<"page" | "mail", boolean>>>>;

/** The fields of their own record that people may change, whatever their roles. */
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
