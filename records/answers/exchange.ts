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
export const startedJob = { answer: jobToken, answers: "The name to ask for its progress.", example: exampleToken };

export const importState = word("queued", "processing", "done", "error");
export const exportState = word("queued", "processing", "done", "failed");
export const pace = {
  rate: noted("rows per second", optional(float)),
  remaining: noted("seconds that the rest will take at this rate", optional(integer())),
};

export const importResults = object({
  created: count,
  updated: count,
  deleted: count,
  unchanged: count,
  failures: noted("rows that were refused", count),
  errors: noted("rows on which the service failed", count),
});

export const importProgress = object({
  state: importState,
  line: noted("the line reached", optional(integer())),
  total: noted("the number of rows, where it is known", optional(count)),
  ...pace,
  message: noted("why the file could not be read any further", optional(string())),
  results: optional(importResults),
  logfile: noted("one line per refused row; good for two days", optional(url)),
});

export const exportProgress = object({
  state: exportState,
  type: noted("what is being written", optional(orNull(string()))),
  line: noted("the line reached", optional(integer())),
  url: noted("good for two days, without credentials", optional(url)),
  expires_at: optional(datetime),
  rate_limit_exceeded: noted(
    "the type with more than 10,000 records that was exported today already",
    optional(string()),
  ),
});

export const exchangeOperations = operations({
  "POST /import": {
    tag,
    id: "startImport",
    summary: "Import records from a file",
    description:
      "For administrators. CSV or TSV in UTF-8 or UTF-16LE; the first line names the columns by the labels of the fields. One import at a time per account; the others wait.",
    body: noted(
      "The file, and what it holds.",
      object({
        type: typeName("importable"),
        suppress_events: noted("no events for webhooks and automation rules", defaultsTo(false, boolean)),
        dry_run: noted("checks up to 20,000 rows and changes nothing", defaultsTo(false, boolean)),
        mapping: noted(
          "JSON: the field of each column, by header; null skips a column",
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
    description: "Until five minutes after its end.",
    answer: importProgress,
    answers: "How far it has come.",
    example: { state: "processing", line: 4201, rate: 350.5, remaining: 17 },
  },
  "POST /export": {
    tag,
    id: "startExport",
    summary: "Export records to a file",
    description: "For administrators. Several types come as a ZIP with a file for each.",
    body: object({
      type: noted("one or more, separated by commas", typeNames("exportable")),
      from: noted(
        "records created or changed since then, at most two months ago: `20310201`, `20310201T08:00:00`, with an offset or in the time zone of the caller",
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
    description: "Until five minutes after its end.",
    answer: exportProgress,
    answers: "How far it has come.",
    example: { state: "processing", type: "people", line: 4501 },
  },
});
