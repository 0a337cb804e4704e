import { joinPath } from "./paths.ts";

/** Addresses linked from settings pages in addition to their menu; a separate file, so that only they load it. */
export const settingsPaths = {
  webhooks: (account: string) => joinPath("a", account, "webhooks"),
  apiReference: (account: string) => joinPath("a", account, "settings", "api"),
  apiChanges: (account: string) => joinPath("a", account, "settings", "api", "changes"),
  tryApplication: (account: string, id: number) => joinPath("a", account, "settings", "applications", id, "try"),
  allDeliveries: (account: string) => joinPath("a", account, "settings", "webhook-deliveries"),
  webhookKeys: (account: string) => joinPath("a", account, "settings", "webhook-keys"),
  newToken: (account: string) => joinPath("a", account, "profile", "tokens", "new"),
  applications: (account: string) => joinPath("a", account, "settings", "applications"),
  application: (account: string, id: number) => joinPath("a", account, "settings", "applications", id),
  webhook: (account: string, id: number) => joinPath("a", account, "webhooks", id),
  webhookTab: (account: string, id: number, tab: string) => `${joinPath("a", account, "webhooks", id)}?tab=${tab}`,
  rule: (account: string, id: number) => joinPath("a", account, "settings", "rules", id),
  audit: (account: string) => joinPath("a", account, "settings", "audit"),
  ruleRuns: (account: string, filter: Readonly<Record<string, string>> = {}) =>
    `${joinPath("a", account, "settings", "rules", "runs")}?${new URLSearchParams(filter)}`,
  exchange: (account: string) => joinPath("a", account, "settings", "exchange"),
  import: (account: string, token: string) => joinPath("a", account, "settings", "exchange", token),
  identityProviders: (account: string, ...rest: (number | string)[]) =>
    joinPath("a", account, "settings", "identity-providers", ...rest),
  trail: (account: string) => joinPath("a", account, "settings", "trail"),
  archive: (account: string) => joinPath("a", account, "settings", "archive"),
  trash: (account: string) => joinPath("a", account, "settings", "trash"),
};
