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
  id: noted("The record to look at.", orNull(integer())),
  name: orNull(string()),
  count: integer(),
});
export type AttentionItem = AnswerOf<typeof attentionItem>;

export const settingsOverview = answer("SettingsOverview", {
  counts: noted("How much there is of each kind; counting ends at 100,000.", map(integer())),
  attention: noted("What an administrator should look at, at most three of a kind.", list(attentionItem)),
  account: orNull(object({ time_zone: string(), locale: string(), currency: string() })),
});
export type SettingsOverview = AnswerOf<typeof settingsOverview>;

export const trailCounts = answer("TrailCounts", {
  changes: noted("Audit lines.", integer()),
  security: noted("Entries of the security trail.", integer()),
  sign_ins: noted("Of these, sign-ins.", integer()),
  access: noted("Of these, changes of access.", integer()),
  most: noted("A count above it means: more than that.", integer()),
});
export type TrailCounts = AnswerOf<typeof trailCounts>;

export const sampleWork = answer("SampleWork", {
  counts: list(object({ type: string(), count: integer() })),
  removing: boolean,
});
export type SampleWork = AnswerOf<typeof sampleWork>;

export const scopeName = answer("ScopeName", {
  name: noted("What is written before the colon.", string()),
  label: string(),
  operations: noted("What can be written behind it.", strings),
});
export type ScopeName = AnswerOf<typeof scopeName>;

const tag = "Settings";

export const settingsOperations = operations({
  "GET /settings_overview": {
    id: "getSettingsOverview",
    summary: "Retrieve an overview of the settings",
    description: "For administrators of the account.",
    tag,
    answer: settingsOverview,
    answers: "Counts, and what needs attention.",
  },
  "GET /trail_counts": {
    id: "getTrailCounts",
    summary: "Count audit entries and security log entries",
    description: "For administrators of the account. Counting ends above 10,000.",
    tag,
    answer: trailCounts,
    answers: "The counts.",
  },
  "PATCH /account_settings": {
    id: "updateAccountSettings",
    summary: "Update the account",
    description:
      "For administrators of the account. Members that are not named keep their value. The change is part of the security trail.",
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
    answers: "The account.",
  },
  "GET /sample_work": {
    id: "getSampleWork",
    summary: "Count the sample records of the demo company",
    description: "For administrators of the account.",
    tag,
    answer: sampleWork,
    answers: "How many records are left by type, and whether they are being removed.",
  },
  "DELETE /sample_work": {
    id: "removeSampleWork",
    summary: "Delete the sample records of the demo company",
    description: "For administrators of the account. A job removes them.",
    tag,
    query: { name: noted("The name of the account, to prevent a mistake.", string()) },
    status: 202,
    answer: sampleWork,
    answers: "How many records are left by type, and whether they are being removed.",
  },
});

export const scopeOperations = operations({
  "GET /scopes": {
    id: "listScopes",
    summary: "List OAuth scopes",
    tag: "General",
    answer: list(scopeName),
    answers: "The names.",
    example: [{ name: "request", label: "requests", operations: ["Read", "Create", "Update", "Delete"] }],
  },
});
