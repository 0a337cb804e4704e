import {
  datetime,
  either,
  integer,
  list,
  map,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  url,
  word,
} from "../vocabulary/index.ts";

// The data of people, and how long an account keeps what.

const tag = "Privacy";
const forAdministrators = "For administrators of the account.";
const count = integer({ min: 0 });

export const storedData = object({
  name: string(),
  anonymous_name: noted("the name after an anonymisation", string()),
  parts: list(object({ name: string(), count })),
});

const started = {
  status: 202,
  answer: object({ token: string() }),
  answers: "The name to ask for its progress.",
  example: { token: "5f2c1d0e9b8a7f6e5d4c3b2a19080706" },
} as const;

export const privacyJob = object({
  token: string(),
  kind: word("export", "anonymise"),
  state: word("queued", "processing", "done", "failed"),
  total: noted("steps", count),
  done: count,
  counts: noted("rows by part of an export, or the current `step` of an anonymisation", map(either(count, string()))),
  subject: orNull(named),
  person: orNull(named),
  url: noted("a ZIP of JSON files, for two days", optional(url)),
  created_at: datetime,
  finished_at: orNull(datetime),
});
const exampleJob = {
  ...{ ...started.example, kind: "export", state: "processing", total: 61, done: 12, counts: { requests: 12 } },
  ...{ subject: { id: 7, name: "Ann Example" }, person: { id: 2, name: "Ada Admin" } },
  ...{ created_at: "2031-02-03T09:00:00+01:00", finished_at: null },
};

export const retentionPeriod = object({
  subject: string(),
  days: noted("null: kept for ever", orNull(integer())),
  last_run_at: orNull(datetime),
  last_deleted: count,
});
const examplePeriods = [{ subject: "requests", days: 730, last_run_at: null, last_deleted: 0 }];
const days = integer({ min: 1, max: 36_500 });

export const personDataOperations = operations({
  "GET /people/:id/stored_data": {
    id: "countStoredDataOfPerson",
    summary: "Count the data stored about a person",
    description: forAdministrators,
    tag,
    answer: storedData,
    answers: "Counts by part.",
    example: { name: "Ann", anonymous_name: "Anonymous 7", parts: [{ name: "requests", count: 12 }] },
  },
  "POST /people/:id/data_exports": {
    id: "exportStoredDataOfPerson",
    summary: "Export all data stored about a person",
    description: `${forAdministrators} A job writes a ZIP of JSON files. The security trail has an entry.`,
    tag,
    ...started,
  },
  "POST /people/:id/anonymizations": {
    id: "anonymizePerson",
    summary: "Anonymize a person",
    description: `${forAdministrators} Name, contacts, mails, mentions and audit values are replaced or removed; records that refer to the person stay. It cannot be undone. The security trail has an entry.`,
    tag,
    body: object({ name: noted("the name of the person, as a confirmation", string()) }),
    bodyExample: { name: "Ann Example" },
    ...started,
  },
});

export const privacyOperations = operations({
  "GET /privacy_jobs": {
    id: "listPrivacyJobs",
    summary: "List exports and anonymizations",
    description: `${forAdministrators} Newest first.`,
    tag,
    hasFields: true,
    isPaged: true,
    answer: list(privacyJob),
    answers: "The jobs.",
    example: [exampleJob],
  },
  "GET /privacy_jobs/:token": {
    id: "getPrivacyJob",
    summary: "Retrieve the progress of a privacy job",
    description: forAdministrators,
    tag,
    answer: privacyJob,
    answers: "The job.",
    example: exampleJob,
  },
  "GET /retention_periods": {
    id: "listRetentionPeriods",
    summary: "List retention periods",
    description: forAdministrators,
    tag,
    answer: list(retentionPeriod),
    answers: "What can expire.",
    example: examplePeriods,
  },
  "GET /retention_periods/:subject/preview": {
    id: "previewRetentionPeriod",
    summary: "Preview a retention period",
    description: forAdministrators,
    tag,
    query: { days },
    answer: object({ count }),
    answers: "How many.",
    example: { count: 31 },
  },
  "PUT /retention_periods/:subject": {
    id: "setRetentionPeriod",
    summary: "Set a retention period",
    description: `${forAdministrators} A job erases older entries once a day, beginning now. The security trail has an entry.`,
    tag,
    body: object({ days: orNull(days) }),
    bodyExample: { days: 730 },
    answer: list(retentionPeriod),
    answers: "What can expire.",
    example: examplePeriods,
  },
});
