import {
  anything,
  boolean,
  datetime,
  either,
  hash,
  integer,
  list,
  named,
  noted,
  object,
  openObject,
  operations,
  optional,
  orNull,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";

// The runs of automation rules, and the data of the rule editor.

const tag = "Automation rules";
export const runOutcomes = ["done", "not met", "failed", "dropped"] as const;
export const runOutcome = word(...runOutcomes);
const evaluation = {
  outcome: runOutcome,
  condition: orNull(string()),
  actions: noted("A readable description of each action.", strings),
};

export const ruleRun = object({
  id: integer(),
  rule_id: integer(),
  rule_name: string(),
  record_type: string(),
  record_id: integer(),
  trigger: string(),
  chain_id: noted("Shared by all runs triggered by the same save.", string()),
  started_at: datetime,
  milliseconds: integer(),
  person: orNull(named),
  ...evaluation,
  expressions: noted(
    "The evaluated expressions, with their values as text.",
    list(object({ name: string(), value: string() })),
  ),
  error_kind: orNull(string()),
  error: orNull(string()),
});

export const ruleStatistics = object({
  rule_id: integer(),
  runs: integer(),
  failures: integer(),
  last_run_at: datetime,
});

export const ruleMistake = object({ field: string(), line: integer(), column: integer(), message: string() });
export const ruleLoop = object({
  action: noted("The number of the action, starting at 1.", integer()),
  through: noted("The rules in the loop, other than this rule.", strings),
});
export const ruleCheck = object({
  problem: orNull(ruleMistake),
  loops: noted("Actions that trigger the rule again, and the rules in between.", list(ruleLoop)),
});

export const ruleSuggestion = object({
  text: string(),
  kind: word("field", "relation", "name", "function", "choice", "word", "type"),
  type: noted("The type of the value, such as text, number, person or requests.", orNull(string())),
  value: orNull(string()),
});
export const ruleCompletion = object({ from: integer(), items: list(ruleSuggestion) });

export const ruleChange = object({
  record_type: string(),
  record_id: integer(),
  name: string(),
  action: word("create", "update", "destroy"),
  fields: list(object({ field: string(), before: string(), after: string() })),
});
const recordId = either(integer(), string());
export const ruleEffect = either(
  object({ kind: word("note"), record_type: string(), record_id: recordId, internal: boolean, text: string() }),
  object({ kind: word("email"), to: strings, subject: string(), body: string() }),
  object({ kind: word("webhook"), name: string(), payload: hash }),
  object({ kind: word("start"), rule: string(), at: datetime }),
);
export const ruleDryRun = object({
  ...evaluation,
  expressions: noted(
    "All expressions, with their values as text or the reason they have none.",
    list(object({ name: string(), value: string(), error: orNull(string()) })),
  ),
  error: orNull(object({ kind: string(), message: string() })),
  milliseconds: integer(),
  changes: noted("The changes the rule would make.", list(ruleChange)),
  effects: noted("Notes, emails, webhook calls, and rules that would start later.", list(ruleEffect)),
});

const runFilters = {
  before: noted("Only runs older than the run with this id.", optional(integer())),
  outcome: noted("Only runs with this outcome.", optional(runOutcome)),
  record_type: noted("With `record_id`: only runs for that record.", optional(string())),
  record_id: noted("The id of the record.", optional(integer())),
};
const ruleMembers = {
  name: optional(string()),
  trigger: optional(orNull(string())),
  condition: optional(orNull(string())),
  expressions: optional(orNull(string())),
  actions: optional(orNull(string())),
  generic: optional(orNull(string())),
};
const ruleNote = "The rule as it would be saved: its text fields, and `generic` or one of the link fields.";
const exampleRule = { generic: "request", expressions: "done: status = completed", condition: "done" };
const runs = {
  tag,
  description: "Runs are kept for 30 days. Available to people who can update automation rules.",
  answer: list(ruleRun),
  answers: "The latest 100 runs, newest first.",
  example: [],
};

export const automationOperations = operations({
  "GET /automation_rules/:id/runs": {
    ...runs,
    id: "listRunsOfAutomationRule",
    summary: "List the runs of an automation rule",
    query: runFilters,
  },
  "GET /automation_rule_runs": {
    ...runs,
    id: "listRunsOfAutomationRules",
    summary: "List the runs of all automation rules",
    query: { ...runFilters, rule_id: noted("Only runs of the rule with this id.", optional(integer())) },
  },
  "GET /automation_rule_statistics": {
    id: "countRunsOfAutomationRules",
    summary: "Retrieve run statistics of automation rules",
    description:
      "Counts the runs of the last seven days, at most the latest 1,000 per rule. Rules that didn't run are omitted.",
    tag,
    answer: list(ruleStatistics),
    answers: "The number of runs and failures per rule.",
    example: [{ rule_id: 7, runs: 412, failures: 1, last_run_at: "2026-03-02T10:41:07Z" }],
  },
  "POST /automation_rule_check": {
    id: "checkAutomationRule",
    summary: "Validate an automation rule",
    tag,
    body: noted(ruleNote, openObject(ruleMembers, anything)),
    bodyExample: exampleRule,
    answer: ruleCheck,
    answers: "The first error with its position, or null, and the loops.",
    example: { problem: null, loops: [] },
  },
  "POST /automation_rule_completion": {
    id: "completeAutomationRule",
    summary: "List completions for a position in an automation rule",
    description: "Suggests fields, relations, names, functions and choices, with their values for a given record.",
    tag,
    body: object({
      rule: openObject(ruleMembers, anything),
      part: word("expressions", "condition", "actions"),
      line: noted("From 1.", integer()),
      column: noted("Column of the cursor, starting at 1: the cursor is before this character.", integer()),
      record_id: optional(orNull(integer())),
    }),
    bodyExample: { rule: { generic: "request", condition: "team." }, part: "condition", line: 1, column: 6 },
    answer: ruleCompletion,
    answers: "The suggestions, and the offset of the first character they replace.",
    example: { from: 5, items: [{ text: "name", kind: "field", type: "text", value: "Networks" }] },
  },
  "POST /automation_rule_dry_run": {
    id: "tryAutomationRule",
    summary: "Test an automation rule on a record",
    description: "Runs the rule for the record, then rolls back all its effects.",
    tag,
    body: noted(ruleNote, openObject({ ...ruleMembers, record_id: integer() }, anything)),
    bodyExample: { ...exampleRule, record_id: 7 },
    answer: ruleDryRun,
    answers: "The result the rule would have.",
    example: {
      outcome: "not met",
      expressions: [{ name: "done", value: "false", error: null }],
      condition: "false",
      actions: [],
      error: null,
      milliseconds: 11,
      changes: [],
      effects: [],
    },
  },
});

export const webhookTestOperations = operations({
  "POST /webhooks/:id/test": {
    id: "testWebhook",
    summary: "Send a test message to a webhook",
    description:
      "Sends a message for the webhook's event, with the object_id 12345 and an empty payload, to the address of the webhook. Also works for disabled and unverified webhooks.",
    answer: null,
  },
});
