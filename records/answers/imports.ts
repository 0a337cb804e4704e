import {
  boolean,
  datetime,
  defaultsTo,
  float,
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
  strings,
  tuple,
  url,
  withExample,
  word,
} from "../vocabulary/index.ts";

import { exampleToken, exportState, importResults, importState, pace, startedJob, tag } from "./exchange.ts";

// The imports and exports of an account for its administrators, also after their end, and the operations on them.

const count = integer({ min: 0 });

const entryMembers = {
  token: string(),
  type: string(),
  file_name: orNull(string()),
  state: importState,
  dry_run: noted("a check, which changed nothing", boolean),
  suppress_events: boolean,
  stopped: boolean,
  message: noted("why it could not go on", orNull(string())),
  total: noted("rows of the file; null while they are not counted", orNull(count)),
  done: noted("rows that were read", count),
  seconds: noted("how long it took", orNull(float)),
  results: importResults,
  undo: orNull(
    object({
      state: word("queued", "processing", "done"),
      total: count,
      undone: count,
      kept: noted("rows of which something was changed or used since, and stays", count),
      finished_at: orNull(datetime),
    }),
  ),
  can_undo: noted("it is the last import, and none runs", boolean),
  import_token: noted(
    "of a check: the import that was started from its file, which is imported once",
    orNull(string()),
  ),
  person: orNull(named),
  program: noted(
    "the token or OAuth application that uploaded the file; null: a browser",
    orNull(object({ token: optional(string()), application: optional(string()) })),
  ),
  created_at: datetime,
  finished_at: orNull(datetime),
};
export const importEntry = object(entryMembers);

const mapping = map(orNull(string()));
const corrections = map(orNull(map(string())));
export const fileColumn = object({
  header: string(),
  field: noted("null: the column is skipped", orNull(string())),
  known: boolean,
  samples: strings,
  filled: noted("rows that have a value in it", count),
});
export const importSummary = object({
  ...entryMembers,
  ...pace,
  columns: list(fileColumn),
  mapping: orNull(mapping),
  corrections,
  logfile: optional(url),
  error_file: noted("the refused rows, with what is wrong", optional(url)),
});

export const rowStates = ["refused", "changed", "new", "kept", "undone"] as const;
export const fileRow = object({
  line: integer(),
  state: word(...rowStates),
  record_id: orNull(integer()),
  cells: orNull(strings),
  shown: noted("cells of the record that the row replaces, by field", map(string())),
  errors: noted(
    "field and message; where a cell names no record or several, a third text: `unknown` or `ambiguous`, or `known` if a record of that name exists by now",
    list(tuple(string(), string(), optional(word("unknown", "ambiguous", "known")))),
  ),
});

export const importColumn = object({
  name: string(),
  header: string(),
  required: boolean,
  labels: noted("by language", map(string())),
  refers_to: noted("the collection of the records that a cell names", optional(string())),
  by: noted("the fields that name such a record; none: its id", optional(strings)),
  several: optional(boolean),
});
export const importType = object({ type: string(), can_map: boolean, columns: list(importColumn) });

export const exportEntry = object({
  token: string(),
  types: strings,
  format: word("csv", "xlsx"),
  from: orNull(datetime),
  state: exportState,
  type: noted("what is being written", orNull(string())),
  line: count,
  url: noted("for two days", optional(url)),
  rate_limit_exceeded: orNull(string()),
  again_at: noted("when that type can be exported again", orNull(datetime)),
  person: orNull(named),
  created_at: datetime,
  finished_at: orNull(datetime),
});

const ada = { id: 7, name: "Ada Lovelace" };
const exampleEntry = {
  ...{ ...exampleToken, type: "cis", file_name: "items.csv", state: "done", dry_run: false, suppress_events: false },
  ...{ stopped: false, message: null, total: 5000, done: 5000, seconds: 14.2 },
  results: { created: 4209, updated: 603, deleted: 0, unchanged: 171, failures: 17, errors: 0 },
  ...{ undo: null, can_undo: true, import_token: null, person: ada, program: null },
  ...{ created_at: "2031-02-03T09:00:00+01:00", finished_at: "2031-02-03T09:00:15+01:00" },
};
const exampleSummary = {
  ...exampleEntry,
  columns: [{ header: "Label", field: "label", known: true, samples: ["SW-1", "SW-2"], filled: 5000 }],
  ...{ mapping: null, corrections: {} },
};
const exampleExport = {
  ...{ ...exampleToken, types: ["people"], format: "csv", from: null, state: "done", type: null, line: 312 },
  ...{ rate_limit_exceeded: null, again_at: null, person: ada },
  ...{ created_at: "2031-02-03T09:00:00+01:00", finished_at: "2031-02-03T09:00:02+01:00" },
};
const oneImport = { answer: importSummary, answers: "The import.", example: exampleSummary };

export const importOperations = operations({
  "GET /import": {
    tag,
    id: "listImports",
    summary: "List imports and checks of the last 30 days",
    description: "For administrators, newest first.",
    hasFields: true,
    answer: list(importEntry),
    answers: "The imports.",
    example: [exampleEntry],
  },
  "GET /import/:token/summary": {
    tag,
    id: "getImportSummary",
    summary: "Retrieve the details of an import",
    description: "For administrators, for 30 days. Answers at once.",
    ...oneImport,
  },
  "GET /import/:token/rows": {
    tag,
    id: "listImportRows",
    summary: "List the rows of an import by outcome",
    description: "For administrators. A check keeps the cells of its rows, an import those of refused ones.",
    query: {
      state: defaultsTo("refused", word(...rowStates)),
      after_line: noted("rows behind this line", optional(count)),
      per_page: defaultsTo(100, integer({ min: 1, max: 500 })),
    },
    answer: list(fileRow),
    answers: "The rows in the order of the file.",
    example: [
      {
        ...{ line: 118, state: "refused", record_id: null, cells: ["SW-1", "new"], shown: {} },
        errors: [["status", "is not included in the list"]],
      },
    ],
  },
  "POST /import/:token/again": {
    tag,
    id: "readImportAgain",
    summary: "Validate an import file again",
    description: "For administrators, for two days after the check: checks it with other options, or imports it.",
    body: object({
      dry_run: defaultsTo(false, boolean),
      suppress_events: defaultsTo(false, boolean),
      mapping: noted(
        "the field of each column, by header; null skips a column. Other columns are matched by their header",
        withExample({ Model: "product", Colour: null }, optional(mapping)),
      ),
      corrections: noted(
        "by line, cells by header, which replace those of the file; null leaves the row out",
        withExample({ "118": { Status: "in_production" }, "377": null }, optional(corrections)),
      ),
    }),
    bodyExample: { mapping: { Model: "product" } },
    status: 202,
    ...startedJob,
  },
  "DELETE /import/:token": {
    tag,
    id: "stopImport",
    summary: "Cancel an import",
    description: "For administrators. Rows that were imported stay.",
    ...oneImport,
  },
  "POST /import/:token/undo": {
    tag,
    id: "undoImport",
    summary: "Undo the last import",
    description:
      "For administrators. Records that it created are removed, values that it changed are put back. What somebody has changed or used since stays, and is listed under the rows that were kept.",
    status: 202,
    ...oneImport,
    answers: "The undo has begun.",
  },
  "GET /import_types": {
    tag,
    id: "listImportTypes",
    summary: "List importable record types",
    description: "For administrators.",
    answer: list(object({ type: string() })),
    answers: "The types.",
    example: [{ type: "people" }],
  },
  "GET /import_types/:type": {
    tag,
    id: "getImportType",
    summary: "List the columns of an import file",
    description: "For administrators.",
    answer: importType,
    answers: "The columns.",
    example: {
      type: "people",
      can_map: true,
      columns: [{ name: "name", header: "Name", required: true, labels: { en: "Name" } }],
    },
  },
  "GET /export": {
    tag,
    id: "listExports",
    summary: "List exports of the last 30 days",
    description: "For administrators, newest first.",
    hasFields: true,
    answer: list(exportEntry),
    answers: "The exports.",
    example: [exampleExport],
  },
});
