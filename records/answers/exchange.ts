import {
  boolean,
  datetime,
  defaultsTo,
  file,
  float,
  integer,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  typeName,
  typeNames,
  url,
  word,
} from "../vocabulary/index.ts";

// Imports and exports: how they are started, and how far they have come.

export const tag = "Import and export";
const count = integer({ min: 0 });
export const jobToken = object({ token: string() });
export const exampleToken = { token: "5f2c1d0e9b8a7f6e5d4c3b2a19080706" };
export const startedJob = {
  answer: jobToken,
  answers: "The token for retrieving the progress.",
  example: exampleToken,
};

export const importState = word("queued", "processing", "done", "error");
export const exportState = word("queued", "processing", "done", "failed");
export const pace = {
  rate: noted("rows per second", optional(float)),
  remaining: noted("estimated seconds remaining at this rate", optional(integer())),
};

export const importResults = object({
  created: count,
  updated: count,
  deleted: count,
  unchanged: count,
  failures: noted("rejected rows", count),
  errors: noted("rows that failed because of a service error", count),
});

export const importProgress = object({
  state: importState,
  line: noted("the current line", optional(integer())),
  total: noted("the number of rows, if known", optional(count)),
  ...pace,
  message: noted("the reason the rest of the file couldn't be read", optional(string())),
  results: optional(importResults),
  logfile: noted("a log with one line per rejected row; the URL is valid for two days", optional(url)),
});

export const exportProgress = object({
  state: exportState,
  type: noted("the record type being exported", optional(orNull(string()))),
  line: noted("the current line", optional(integer())),
  url: noted("valid for two days, without credentials", optional(url)),
  expires_at: optional(datetime),
  rate_limit_exceeded: noted(
    "the record type with more than 10,000 records that was already exported today",
    optional(string()),
  ),
});

export const exchangeOperations = operations({
  "POST /import": {
    tag,
    id: "startImport",
    summary: "Import records from a file",
    description:
      "Available to administrators. Accepts CSV or TSV in UTF-8 or UTF-16LE. The first line contains the column names, which are the labels of the fields. Each account runs one import at a time; further imports are queued.",
    body: noted(
      "The file and the record type it contains.",
      object({
        type: typeName("importable"),
        suppress_events: noted("don't trigger webhooks and automation rules", defaultsTo(false, boolean)),
        dry_run: noted("checks up to 20,000 rows without changing anything", defaultsTo(false, boolean)),
        mapping: noted(
          "JSON object that maps column headers to fields; null skips a column",
          optional(file("application/json")),
        ),
        file: noted("at most 1 GiB", file()),
      }),
    ),
    bodyTypes: ["multipart/form-data"],
    ...startedJob,
  },
  "GET /import/:token": {
    tag,
    id: "getImport",
    summary: "Retrieve the progress of an import",
    description: "Available until five minutes after the job ends.",
    answer: importProgress,
    answers: "The current progress.",
    example: { state: "processing", line: 4201, rate: 350.5, remaining: 17 },
  },
  "POST /export": {
    tag,
    id: "startExport",
    summary: "Export records to a file",
    description:
      "Available to administrators. Multiple record types are exported as a ZIP archive with one file per type.",
    body: object({
      type: noted("one or more record types, comma-separated", typeNames("exportable")),
      from: noted(
        "only records created or changed since this time, at most two months ago: `20310201` or `20310201T08:00:00`, with an offset or in the time zone of the caller",
        optional(string()),
      ),
      export_format: defaultsTo("csv", word("csv", "xlsx")),
      line_separator: defaultsTo("lf", word("lf", "crlf")),
    }),
    bodyExample: { type: "people,teams" },
    bodyTypes: ["application/json", "multipart/form-data"],
    ...startedJob,
    otherAnswers: { 204: { answer: null } },
  },
  "GET /export/:token": {
    tag,
    id: "getExport",
    summary: "Retrieve the progress of an export",
    description: "Available until five minutes after the job ends.",
    answer: exportProgress,
    answers: "The current progress.",
    example: { state: "processing", type: "people", line: 4501 },
  },
});
