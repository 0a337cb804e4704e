import {
  answer,
  boolean,
  choice,
  currency,
  integer,
  language,
  list,
  map,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  strings,
  timeZone,
} from "../vocabulary/index.ts";
import { type AnswerOf, recordOf } from "./answer-of.ts";

// Data that the settings show and change besides records.

export const attentionItem = object({
  kind: string(),
  id: noted("The id of the record that needs attention.", orNull(integer())),
  name: orNull(string()),
  count: integer(),
});
export type AttentionItem = AnswerOf<typeof attentionItem>;

export const settingsOverview = answer("SettingsOverview", {
  counts: noted("Number of items of each kind, counting at most 100,000.", map(integer())),
  attention: noted("Items that need an administrator's attention, at most three of each kind.", list(attentionItem)),
  account: orNull(object({ time_zone: string(), locale: string(), currency: string() })),
});
export type SettingsOverview = AnswerOf<typeof settingsOverview>;

export const trailCounts = answer("TrailCounts", {
  changes: noted("Number of audit entries.", integer()),
  security: noted("Number of security log entries.", integer()),
  sign_ins: noted("Number of these that are sign-ins.", integer()),
  access: noted("Number of these that are access changes.", integer()),
  most: noted('The counting limit. A higher count means "more than this number".', integer()),
});
export type TrailCounts = AnswerOf<typeof trailCounts>;

export const sampleWork = answer("SampleWork", {
  counts: list(object({ type: string(), count: integer() })),
  removing: boolean,
});
export type SampleWork = AnswerOf<typeof sampleWork>;

export const scopeName = answer("ScopeName", {
  name: noted("The part before the colon.", string()),
  label: string(),
  operations: noted("The possible values after the colon.", strings),
});
export type ScopeName = AnswerOf<typeof scopeName>;

const tag = "Settings";

export const settingsOperations = operations({
  "GET /settings_overview": {
    id: "getSettingsOverview",
    summary: "Retrieve an overview of the settings",
    description: "Available to account administrators.",
    tag,
    answer: settingsOverview,
    answers: "The counts, and the items that need attention.",
  },
  "GET /trail_counts": {
    id: "getTrailCounts",
    summary: "Count audit entries and security log entries",
    description: "Available to account administrators. Stops counting above 10,000.",
    tag,
    answer: trailCounts,
    answers: "The counts.",
  },
  "PATCH /account_settings": {
    id: "updateAccountSettings",
    summary: "Update the account",
    description:
      "Available to account administrators. Omitted members keep their values. The change is recorded in the security log.",
    tag,
    body: object({
      name: optional(string(128)),
      currency: optional(currency),
      locale: optional(language),
      time_zone: optional(timeZone),
      time_format_24h: optional(boolean),
      start_of_week: optional(choice("weekday")),
      strong_privacy: optional(boolean),
    }),
    bodyExample: { name: "Widget IT", time_zone: "Amsterdam" },
    answer: recordOf("account"),
    answers: "The updated account.",
  },
  "GET /sample_work": {
    id: "getSampleWork",
    summary: "Count the sample records of the demo company",
    description: "Available to account administrators.",
    tag,
    answer: sampleWork,
    answers: "The number of remaining records by type, and whether they are being removed.",
  },
  "DELETE /sample_work": {
    id: "removeSampleWork",
    summary: "Delete the sample records of the demo company",
    description: "Available to account administrators. A job removes the records.",
    tag,
    query: { name: noted("The name of the account, as confirmation.", string()) },
    status: 202,
    answer: sampleWork,
    answers: "The number of remaining records by type, and whether they are being removed.",
  },
});

export const scopeOperations = operations({
  "GET /scopes": {
    id: "listScopes",
    summary: "List OAuth scopes",
    tag: "General",
    answer: list(scopeName),
    answers: "A list of scope names.",
    example: [{ name: "request", label: "requests", operations: ["Read", "Create", "Update", "Delete"] }],
  },
});
