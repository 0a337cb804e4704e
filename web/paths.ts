import type { RecordType } from "../records/vocabulary/index.ts";

// Addresses of the interface. Those of records are a contract: the API and the webhooks send them out.

const of = (...parts: (string | number)[]): string => `/${parts.map((part) => encodeURIComponent(part)).join("/")}`;

export const paths = {
  home: (account: string) => of("a", account),
  search: (account: string, q?: string, more: Readonly<Record<string, string>> = {}) =>
    q === undefined
      ? of("a", account, "search")
      : `${of("a", account, "search")}?${new URLSearchParams({ q, ...more })}`,
  list: (account: string, type: RecordType) => of("a", account, type.collection),
  record: (account: string, type: RecordType, id: number | string) => of("a", account, type.collection, id),
  create: (account: string, type: RecordType) => of("a", account, type.collection, "new"),
  edit: (account: string, type: RecordType, id: number | string) => of("a", account, type.collection, id, "edit"),
  security: (account: string) => of("a", account, "profile", "security"),
  tokens: (account: string) => of("a", account, "profile", "tokens"),
  newToken: (account: string) => of("a", account, "profile", "tokens", "new"),
  applications: (account: string) => of("a", account, "settings", "applications"),
  newApplication: (account: string) => of("a", account, "settings", "applications", "new"),
  application: (account: string, id: number) => of("a", account, "settings", "applications", id),
  webhook: (account: string, id: number) => of("a", account, "webhooks", id),
  delivery: (account: string, webhook: number, id: number) => of("a", account, "webhooks", webhook, "deliveries", id),
  rules: (account: string) => of("a", account, "settings", "rules"),
  rule: (account: string, id: number) => of("a", account, "settings", "rules", id),
  trail: (account: string) => of("a", account, "settings", "trail"),
  mails: (account: string) => of("a", account, "settings", "mails"),
  receivedMails: (account: string) => of("a", account, "settings", "received-mails"),
  accountSettings: (account: string) => of("a", account, "settings", "account"),
};

export const signInPath = (): string => `/sign_in?return_to=${encodeURIComponent(location.pathname + location.search)}`;
