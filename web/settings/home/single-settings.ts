import { isMessage, type MessageKey, t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";

// Single settings inside pages, for the search: one line per page, by the names that the page itself shows.

type Names = {
  /** fields of a record, named by their label */
  fields?: readonly string[];
  /** words of the interface */
  messages?: readonly MessageKey[];
};

// biome-ignore format: a table keeps its columns
const singleSettings: Readonly<Record<string, Names>> = {
  general:  { fields: ["name", "currency", "locale", "time_zone", "time_format_24h", "start_of_week", "strong_privacy"] },
  signIn:   { messages: ["secondFactor.demand", "secondFactor.demandedRoles"] },
  identityProviders: { messages: ["providers.domains", "providers.claims", "providers.enforced", "providers.createPeople"] },
  received: { messages: ["policy.title", "policy.generate_new_requests", "policy.allowed_senders", "policy.replies_as_notes", "policy.match_id_in_subject", "policy.create_people", "policy.days_after_completion", "policy.secret"] },
  rules:    { messages: ["ruleEditor.runLog", "ruleEditor.tryTitle"] },
  webhooks: { messages: ["webhooks.deliveries", "sandbox.title", "webhookKeys.title"] },
  requestLog: { messages: ["apiPages.limits"] },
  applications: { messages: ["applications.pairs", "tryFlow.title"] },
  portal:   { messages: ["portalSettings.greeting", "portalSettings.accent", "portalSettings.logo", "portalSettings.order"] },
};

/** The names of the settings on a page. */
export const listSettingNames = (page: string): string[] => {
  const { fields = [], messages = [] } = singleSettings[page] ?? {};
  return [...fields.map(fieldLabel), ...messages.filter(isMessage).map((key) => t(key))];
};
