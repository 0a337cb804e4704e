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
  dry_run: noted("a check that changed nothing", boolean),
  suppress_events: boolean,
  stopped: boolean,
  message: noted("the reason the import couldn't continue", orNull(string())),
  total: noted("number of rows in the file; null until they are counted", orNull(count)),
  done: noted("number of rows read", count),
  seconds: noted("duration in seconds", orNull(float)),
  results: importResults,
  undo: orNull(
    object({
      state: word("queued", "processing", "done"),
      total: count,
      undone: count,
      kept: noted("rows kept because their records were changed or used since the import", count),
      finished_at: orNull(datetime),
    }),
  ),
  can_undo: noted("this is the last import and no import is running", boolean),
  import_token: noted(
    "for a check: the import started from its file; a file can be imported only once",
    orNull(string()),
  ),
  person: orNull(named),
  program: noted(
    "the token or OAuth application that uploaded the file; null: uploaded in a browser",
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
  field: noted("the mapped field; null: the column is skipped", orNull(string())),
  known: boolean,
  samples: strings,
  filled: noted("number of rows with a value in the column", count),
});
export const importSummary = object({
  ...entryMembers,
  ...pace,
  columns: list(fileColumn),
  mapping: orNull(mapping),
  corrections,
  logfile: optional(url),
  error_file: noted("URL of a file with the rejected rows and their errors", optional(url)),
});

export const rowStates = ["refused", "changed", "new", "kept", "undone"] as const;
export const fileRow = object({
  line: integer(),
  state: word(...rowStates),
  record_id: orNull(integer()),
  cells: orNull(strings),
  shown: noted("current values that the row replaces, by field", map(string())),
  errors: noted(
    "field and message, and a third value if a cell doesn't identify exactly one record: `unknown` (no record), `ambiguous` (several records) or `known` (a record with that name exists now)",
    list(tuple(string(), string(), optional(word("unknown", "ambiguous", "known")))),
  ),
});

export const importColumn = object({
  name: string(),
  header: string(),
  required: boolean,
  labels: noted("labels by language", map(string())),
  refers_to: noted("the collection that the cells refer to", optional(string())),
  by: noted("the fields that identify a referenced record; absent: its id", optional(strings)),
  several: optional(boolean),
});
export const importType = object({ type: string(), can_map: boolean, columns: list(importColumn) });

export const exportEntry = object({
  token: string(),
  types: strings,
  format: word("csv", "xlsx"),
  from: orNull(datetime),
  state: exportState,
  type: noted("the record type being exported", orNull(string())),
  line: count,
  url: noted("download URL, valid for two days", optional(url)),
  rate_limit_exceeded: orNull(string()),
  again_at: noted("when the rate-limited record type can be exported again", orNull(datetime)),
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
    description: "Available to administrators.",
    hasFields: true,
    answer: list(importEntry),
    answers: "A list of imports, newest first.",
    example: [exampleEntry],
  },
  "GET /import/:token/summary": {
    tag,
    id: "getImportSummary",
    summary: "Retrieve the details of an import",
    description: "Available to administrators for 30 days. Responds immediately.",
    ...oneImport,
  },
  "GET /import/:token/rows": {
    tag,
    id: "listImportRows",
    summary: "List the rows of an import by outcome",
    description:
      "Available to administrators. A check stores the cells of all rows, an import only those of rejected rows.",
    query: {
      state: defaultsTo("refused", word(...rowStates)),
      after_line: noted("only rows after this line", optional(count)),
      per_page: defaultsTo(100, integer({ min: 1, max: 500 })),
    },
    answer: list(fileRow),
    answers: "The rows in file order.",
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
    description:
      "Available to administrators for two days after the check. Checks the file again with other options, or imports it.",
    body: object({
      dry_run: defaultsTo(false, boolean),
      suppress_events: defaultsTo(false, boolean),
      mapping: noted(
        "maps column headers to fields; null skips a column. Other columns are matched by their header",
        withExample({ Model: "product", Colour: null }, optional(mapping)),
      ),
      corrections: noted(
        "corrected cells, by line number and header, that replace those of the file; null skips the row",
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
    description: "Available to administrators. Rows that have already been imported remain.",
    ...oneImport,
  },
  "POST /import/:token/undo": {
    tag,
    id: "undoImport",
    summary: "Undo the last import",
    description:
      "Available to administrators. Removes the records that the import created and restores the values it changed. Records changed or used since the import are kept and listed among the kept rows.",
    status: 202,
    ...oneImport,
    answers: "The undo has started.",
  },
  "GET /import_types": {
    tag,
    id: "listImportTypes",
    summary: "List importable record types",
    description: "Available to administrators.",
    answer: list(object({ type: string() })),
    answers: "A list of import types.",
    example: [{ type: "people" }],
  },
  "GET /import_types/:type": {
    tag,
    id: "getImportType",
    summary: "List the columns of an import file",
    description: "Available to administrators.",
    answer: importType,
    answers: "The columns of the type.",
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
    description: "Available to administrators.",
    hasFields: true,
    answer: list(exportEntry),
    answers: "A list of exports, newest first.",
    example: [exampleExport],
  },
});
