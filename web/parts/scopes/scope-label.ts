import type { ScopeName } from "../../../records/answers/settings.ts";
import { deriveLabel } from "../../../records/languages/derive-label.ts";
import { findEntry } from "../../base/type-index.ts";
import { type MessageKey, t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";

/** The API's subjects other than records. */
const otherLabels: Readonly<Record<string, MessageKey>> = {
  attachment: "scopes.of.attachment",
  import: "scopes.of.import",
  export: "scopes.of.export",
  "bulk-change": "scopes.of.bulk-change",
  "report-schedule": "scopes.of.report-schedule",
  inbox: "menu.inbox",
  notification: "menu.notificationsPage",
  "kept-item": "scopes.of.kept-item",
  mail: "mails.title",
  "email-policy": "scopes.of.email-policy",
  "sign-in-policy": "scopes.of.sign-in-policy",
  "identity-provider": "settings.identityProviders",
  "security-trail": "trail.title",
  job: "settings.jobs",
  "request-log": "settings.requestLog",
  privacy: "settings.privacy",
  scim: "scopes.of.scim",
};

/** The subject of a scope, in the reader's language. */
export function getScopeLabel({ name, label }: ScopeName): string {
  const type = findEntry(name.replaceAll("-", "_"));
  if (type !== undefined) return collectionLabel(type);
  const key = otherLabels[name];
  return key === undefined ? deriveLabel(label.replaceAll(" ", "_")) : t(key);
}
