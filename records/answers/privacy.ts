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
const forAdministrators = "Available to account administrators.";
const count = integer({ min: 0 });

export const storedData = object({
  name: string(),
  anonymous_name: noted("the name after anonymization", string()),
  parts: list(object({ name: string(), count })),
});

const started = {
  status: 202,
  answer: object({ token: string() }),
  answers: "The token for retrieving the progress.",
  example: { token: "5f2c1d0e9b8a7f6e5d4c3b2a19080706" },
} as const;

export const privacyJob = object({
  token: string(),
  kind: word("export", "anonymise"),
  state: word("queued", "processing", "done", "failed"),
  total: noted("total number of steps", count),
  done: count,
  counts: noted(
    "number of rows by part of an export, or the current `step` of an anonymization",
    map(either(count, string())),
  ),
  subject: orNull(named),
  person: orNull(named),
  url: noted("a ZIP archive of JSON files, available for two days", optional(url)),
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
  days: noted("null: kept indefinitely", orNull(integer())),
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
    answers: "The counts by type of data.",
    example: { name: "Ann", anonymous_name: "Anonymous 7", parts: [{ name: "requests", count: 12 }] },
  },
  "POST /people/:id/data_exports": {
    id: "exportStoredDataOfPerson",
    summary: "Export all data stored about a person",
    description: `${forAdministrators} Starts a job that creates a ZIP archive of JSON files. Recorded in the security log.`,
    tag,
    ...started,
  },
  "POST /people/:id/anonymizations": {
    id: "anonymizePerson",
    summary: "Anonymize a person",
    description: `${forAdministrators} Replaces or removes the person's name, contacts, emails, mentions and audit values. Records that refer to the person are kept. This can't be undone. Recorded in the security log.`,
    tag,
    body: object({ name: noted("the name of the person, as confirmation", string()) }),
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
    answers: "A list of privacy jobs.",
    example: [exampleJob],
  },
  "GET /privacy_jobs/:token": {
    id: "getPrivacyJob",
    summary: "Retrieve the progress of a privacy job",
    description: forAdministrators,
    tag,
    answer: privacyJob,
    answers: "The privacy job.",
    example: exampleJob,
  },
  "GET /retention_periods": {
    id: "listRetentionPeriods",
    summary: "List retention periods",
    description: forAdministrators,
    tag,
    answer: list(retentionPeriod),
    answers: "The retention periods.",
    example: examplePeriods,
  },
  "GET /retention_periods/:subject/preview": {
    id: "previewRetentionPeriod",
    summary: "Preview a retention period",
    description: forAdministrators,
    tag,
    query: { days },
    answer: object({ count }),
    answers: "The number of entries.",
    example: { count: 31 },
  },
  "PUT /retention_periods/:subject": {
    id: "setRetentionPeriod",
    summary: "Set a retention period",
    description: `${forAdministrators} A job deletes older entries once a day, starting immediately. Recorded in the security log.`,
    tag,
    body: object({ days: orNull(days) }),
    bodyExample: { days: 730 },
    answer: list(retentionPeriod),
    answers: "The retention periods.",
    example: examplePeriods,
  },
});
