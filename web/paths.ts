/** A record type, as far as addresses go. */
type Collection = { readonly collection: string };

// Addresses of the interface. Those of records are a contract: the API and the webhooks send them out.

const joinPath = (...parts: (string | number)[]): string =>
  `/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export const paths = {
  home: (account: string) => joinPath("a", account),
  search: (account: string, q?: string, more: Readonly<Record<string, string>> = {}) =>
    q === undefined
      ? joinPath("a", account, "search")
      : `${joinPath("a", account, "search")}?${new URLSearchParams({ q, ...more })}`,
  inbox: (account: string, tab?: string) =>
    tab === undefined ? joinPath("a", account, "inbox") : joinPath("a", account, "inbox", tab),
  /** another page: its links load it anew */
  portal: (account: string) => joinPath("a", account, "portal"),
  portalSettings: (account: string) => joinPath("a", account, "settings", "portal"),
  dashboard: (account: string, key?: string) =>
    joinPath("a", account, "dashboards", ...(key === undefined ? [] : [key])),
  reports: (account: string) => joinPath("a", account, "reports"),
  report: (account: string, key: string) => joinPath("a", account, "reports", key),
  timesheet: (account: string, date?: string) =>
    joinPath("a", account, "timesheet", ...(date === undefined ? [] : [date])),
  calendar: (account: string, date?: string) =>
    joinPath("a", account, "calendar", ...(date === undefined ? [] : [date])),
  settings: (account: string) => joinPath("a", account, "settings"),
  allRecords: (account: string) => joinPath("a", account, "settings", "records"),
  profile: (account: string) => joinPath("a", account, "profile", "general"),
  notifications: (account: string) => joinPath("a", account, "notifications"),
  webhooks: (account: string) => joinPath("a", account, "webhooks"),
  apiReference: (account: string) => joinPath("a", account, "settings", "api"),
  requestLog: (account: string, filter: Readonly<Record<string, string>> = {}) =>
    `${joinPath("a", account, "settings", "request-log")}${Object.keys(filter).length === 0 ? "" : `?${new URLSearchParams(filter)}`}`,
  tryApplication: (account: string, id: number) => joinPath("a", account, "settings", "applications", id, "try"),
  allDeliveries: (account: string) => joinPath("a", account, "settings", "webhook-deliveries"),
  sandboxes: (account: string) => joinPath("a", account, "settings", "webhook-sandboxes"),
  webhookKeys: (account: string) => joinPath("a", account, "settings", "webhook-keys"),
  list: (account: string, type: Collection) => joinPath("a", account, type.collection),
  record: (account: string, type: Collection, id: number | string) => joinPath("a", account, type.collection, id),
  create: (account: string, type: Collection) => joinPath("a", account, type.collection, "new"),
  /** with values that the new record begins with */
  createWith: (account: string, type: Collection, given: Readonly<Record<string, string | number>>) =>
    `${joinPath("a", account, type.collection, "new")}?${new URLSearchParams(
      Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
    )}`,
  edit: (account: string, type: Collection, id: number | string) => joinPath("a", account, type.collection, id, "edit"),
  security: (account: string) => joinPath("a", account, "profile", "security"),
  tokens: (account: string) => joinPath("a", account, "profile", "tokens"),
  newToken: (account: string) => joinPath("a", account, "profile", "tokens", "new"),
  applications: (account: string) => joinPath("a", account, "settings", "applications"),
  newApplication: (account: string) => joinPath("a", account, "settings", "applications", "new"),
  application: (account: string, id: number) => joinPath("a", account, "settings", "applications", id),
  webhook: (account: string, id: number) => joinPath("a", account, "webhooks", id),
  delivery: (account: string, webhook: number, id: number) =>
    joinPath("a", account, "webhooks", webhook, "deliveries", id),
  rules: (account: string) => joinPath("a", account, "settings", "rules"),
  rule: (account: string, id: number) => joinPath("a", account, "settings", "rules", id),
  audit: (account: string) => joinPath("a", account, "settings", "audit"),
  /** `from`: the id of a record of that type that the rule begins like */
  newRule: (account: string, about: string, from?: number) =>
    `${joinPath("a", account, "settings", "rules", "new")}?${new URLSearchParams({ about, ...(from === undefined ? {} : { from: String(from) }) })}`,
  ruleRuns: (account: string, filter: Readonly<Record<string, string>> = {}) =>
    `${joinPath("a", account, "settings", "rules", "runs")}?${new URLSearchParams(filter)}`,
  exchange: (account: string) => joinPath("a", account, "settings", "exchange"),
  newImport: (account: string) => joinPath("a", account, "settings", "exchange", "new"),
  import: (account: string, token: string) => joinPath("a", account, "settings", "exchange", token),
  privacy: (account: string) => joinPath("a", account, "settings", "privacy"),
  provisioning: (account: string) => joinPath("a", account, "settings", "provisioning"),
  signInPolicy: (account: string) => joinPath("a", account, "settings", "sign-in"),
  identityProviders: (account: string, ...rest: (number | string)[]) =>
    joinPath("a", account, "settings", "identity-providers", ...rest),
  trail: (account: string) => joinPath("a", account, "settings", "trail"),
  archive: (account: string) => joinPath("a", account, "settings", "archive"),
  trash: (account: string) => joinPath("a", account, "settings", "trash"),
  deadJobs: (account: string) => joinPath("a", account, "settings", "failed-jobs"),
  mails: (account: string) => joinPath("a", account, "settings", "mails"),
  mailWordings: (account: string) => joinPath("a", account, "settings", "mail-texts"),
  receivedMails: (account: string) => joinPath("a", account, "settings", "received-mails"),
  accountSettings: (account: string) => joinPath("a", account, "settings", "account"),
};

export const signInPath = (): string => `/sign_in?return_to=${encodeURIComponent(location.pathname + location.search)}`;
