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
  next_target_at: noted("A date and time, or `best_effort`, `clock_stopped` or `no_target`.", orNull(target)),
  kind_of_target: orNull(word("response", "resolution", "desired", "completion", "analysis")),
  team: orNull(named),
  member: orNull(named),
  requested_for: orNull(named),
  service_instance: orNull(named),
  major_incident_status: orNull(string()),
  notes: noted("Number of notes that the caller can read.", integer()),
  unread: noted("Whether the record changed since the caller marked it as seen.", boolean),
  revision: integer(),
});
export type InboxItem = AnswerOf<typeof inboxItem>;

export const inboxCounts = answer("InboxCounts", {
  mine: integer(),
  my_teams: integer(),
  unassigned: integer(),
  approvals: integer(),
  watching: integer(),
  unread: noted("Number of records in `mine` that changed since the caller marked them as seen.", integer()),
});
export type InboxCounts = AnswerOf<typeof inboxCounts>;

export const inbox = answer("Inbox", {
  counts: noted("The number of records in each tab, counting at most 1000 per record type.", inboxCounts),
  items: list(inboxItem),
  next: noted("The value of `after` for the next page; null on the last page.", orNull(string())),
});
export type InboxPage = AnswerOf<typeof inbox>;

export const inboxOperations = operations({
  "GET /inbox": {
    id: "getInbox",
    summary: "List the caller's open work by next target",
    description:
      "Contains the requests, tasks, problems and project tasks that the caller can read, provided the token has the `Read` scope for the type.",
    query: {
      tab: defaultsTo("mine", word(...inboxTabs)),
      per_page: defaultsTo(50, integer({ min: 1, max: 100 })),
      after: noted("The `next` value of the previous page.", optional(string())),
    },
    answer: inbox,
    answers: "A page of a tab, and the counts of all tabs.",
  },
  "POST /inbox/seen": {
    id: "markRecordAsSeen",
    summary: "Mark a record as read",
    description:
      "Also marks notifications about the record as read. The record becomes unread again when it changes. Accepts any record that the caller can read, provided the token has the `Read` scope for its type.",
    body: object({ type: string(), id: integer({ min: 1 }) }),
    bodyExample: { type: "request", id: 48_213 },
    answer: null,
  },
});
