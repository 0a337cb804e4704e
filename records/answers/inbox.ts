import {
  answer,
  boolean,
  defaultsTo,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  target,
  word,
} from "../vocabulary/index.ts";
import type { AnswerOf } from "./answer-of.ts";

// The inbox: one list of a person's work, over several record types.

export const inboxTabs = ["mine", "my_teams", "unassigned", "approvals", "watching"] as const;
export type InboxTab = (typeof inboxTabs)[number];

export const inboxItem = answer("InboxItem", {
  type: word("request", "task", "problem", "project_task"),
  id: integer(),
  subject: string(),
  category: orNull(string()),
  status: string(),
  impact: orNull(string()),
  urgent: boolean,
  next_target_at: noted("A moment, or `best_effort`, `clock_stopped`, `no_target`.", orNull(target)),
  kind_of_target: orNull(word("response", "resolution", "desired", "completion", "analysis")),
  team: orNull(named),
  member: orNull(named),
  requested_for: orNull(named),
  service_instance: orNull(named),
  major_incident_status: orNull(string()),
  notes: noted("How many notes the caller may read.", integer()),
  unread: noted("Whether it has changed since the caller marked it as seen.", boolean),
  revision: integer(),
});
export type InboxItem = AnswerOf<typeof inboxItem>;

export const inboxCounts = answer("InboxCounts", {
  mine: integer(),
  my_teams: integer(),
  unassigned: integer(),
  approvals: integer(),
  watching: integer(),
  unread: noted("Of `mine`: changed since the caller marked it as seen.", integer()),
});
export type InboxCounts = AnswerOf<typeof inboxCounts>;

export const inbox = answer("Inbox", {
  counts: noted("The length of each tab; no type counts for more than 1000.", inboxCounts),
  items: list(inboxItem),
  next: noted("The value of `after` for the next page; null: this is the last one.", orNull(string())),
});
export type InboxPage = AnswerOf<typeof inbox>;

export const inboxOperations = operations({
  "GET /inbox": {
    id: "getInbox",
    summary: "List the caller's open work by next target",
    description:
      "Holds requests, tasks, problems and project tasks that the caller may read, as far as the token has the `Read` scope of the type.",
    query: {
      tab: defaultsTo("mine", word(...inboxTabs)),
      per_page: defaultsTo(50, integer({ min: 1, max: 100 })),
      after: noted("`next` of the page before.", optional(string())),
    },
    answer: inbox,
    answers: "One page of a tab, and the length of all tabs.",
  },
  "POST /inbox/seen": {
    id: "markRecordAsSeen",
    summary: "Mark a record as read",
    description:
      "The record is unread again when it changes. Marks its notifications as read, too. Takes records of every type that the caller may read, as far as the token has the `Read` scope of the type.",
    body: object({ type: string(), id: integer({ min: 1 }) }),
    bodyExample: { type: "request", id: 48_213 },
    answer: null,
  },
});
