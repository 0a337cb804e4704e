/** The part of a record type that addresses need. */
type Collection = { readonly collection: string };

// Addresses of the interface. Record addresses are a contract: the API and the webhooks send them out.

export const joinPath = (...parts: (string | number)[]): string =>
  `/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export const paths = {
  home: (account: string) => joinPath("a", account),
  search: (account: string, q?: string, more: Readonly<Record<string, string>> = {}) =>
    q === undefined
      ? joinPath("a", account, "search")
      : `${joinPath("a", account, "search")}?${new URLSearchParams({ q, ...more })}`,
  inbox: (account: string, tab?: string) =>
    tab === undefined ? joinPath("a", account, "inbox") : joinPath("a", account, "inbox", tab),
  /** a separate page: links load a new document */
  portal: (account: string) => joinPath("a", account, "portal"),
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
  requestLog: (account: string) => joinPath("a", account, "settings", "request-log"),
  sandboxes: (account: string) => joinPath("a", account, "settings", "webhook-sandboxes"),
  list: (account: string, type: Collection) => joinPath("a", account, type.collection),
  record: (account: string, type: Collection, id: number | string) => joinPath("a", account, type.collection, id),
  create: (account: string, type: Collection) => joinPath("a", account, type.collection, "new"),
  /** with initial values for the new record */
  createWith: (account: string, type: Collection, values: Readonly<Record<string, string | number>>) =>
    `${joinPath("a", account, type.collection, "new")}?${new URLSearchParams(
      Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
    )}`,
  edit: (account: string, type: Collection, id: number | string) => joinPath("a", account, type.collection, id, "edit"),
  security: (account: string) => joinPath("a", account, "profile", "security"),
  tokens: (account: string) => joinPath("a", account, "profile", "tokens"),
  newApplication: (account: string) => joinPath("a", account, "settings", "applications", "new"),
  rules: (account: string) => joinPath("a", account, "settings", "rules"),
  /** `from`: the id of a record of that type whose values the rule starts from */
  newRule: (account: string, about: string, from?: number) =>
    `${joinPath("a", account, "settings", "rules", "new")}?${new URLSearchParams({ about, ...(from === undefined ? {} : { from: String(from) }) })}`,
  newImport: (account: string) => joinPath("a", account, "settings", "exchange", "new"),
};

export const signInPath = (): string => `/sign_in?return_to=${encodeURIComponent(location.pathname + location.search)}`;
