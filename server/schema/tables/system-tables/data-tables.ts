import type { Schema } from "../model.ts";
import { account, foreignKey, identity, index, instant, moment, nullable, table } from "./words.ts";

// Work on the data of an account as a whole: imports, exports, and what privacy asks for.

export const dataTables: Schema = {
  tables: [
    // imports and their progress, which is updated in the transaction of the rows
    table("imports", {
      id: identity,
      account_id: account,
      token: "text NOT NULL",
      person_id: "integer NOT NULL",
      type: "text NOT NULL",
      file: "text NOT NULL",
      file_name: "text",
      size: "integer NOT NULL",
      suppress_events: "boolean NOT NULL",
      // checks the rows and keeps nothing of them
      dry_run: "boolean NOT NULL DEFAULT false",
      // JSON: fields by header; null skips a column
      mapping: "text",
      // JSON: by line, cells by header; null leaves a row out
      corrections: "text",
      // JSON: how the columns were read
      columns: "text",
      language: "text NOT NULL",
      source: "text NOT NULL",
      // JSON: the token or application of the call that uploaded the file
      program: "text",
      state: "text NOT NULL",
      message: "text",
      // a caller has requested the end
      stopped: "boolean NOT NULL DEFAULT false",
      total: "integer",
      rows: "integer NOT NULL DEFAULT 0",
      line: "integer NOT NULL DEFAULT 1",
      position: "integer NOT NULL DEFAULT 0",
      created: "integer NOT NULL DEFAULT 0",
      updated: "integer NOT NULL DEFAULT 0",
      unchanged: "integer NOT NULL DEFAULT 0",
      failures: "integer NOT NULL DEFAULT 0",
      errors: "integer NOT NULL DEFAULT 0",
      created_at: moment,
      started_at: nullable(instant),
      finished_at: nullable(instant),
      // the last audit line before it and its own last one, and the same of its undo: lines between are of other people
      first_audit_id: "integer",
      last_audit_id: "integer",
      undo_audit_id: "integer",
      undo_last_audit_id: "integer",
      // null, queued, processing or done
      undo_state: "text",
      undone: "integer NOT NULL DEFAULT 0",
      kept: "integer NOT NULL DEFAULT 0",
      undone_at: nullable(instant),
    }),
    // what became of the rows of a file: those that changed something, and those that were refused
    table("import_rows", {
      account_id: account,
      import_id: "integer NOT NULL",
      line: "integer NOT NULL",
      // new, changed or refused; undone or kept once the import is undone
      state: "text NOT NULL",
      record_id: "integer",
      // JSON: the cells as they are in the file, where a page shows them
      cells: "text",
      // JSON: cells of the record that the row would replace, by field
      shown: "text",
      // JSON: pairs of field and message
      errors: "text",
      message: "text",
      // JSON: former values, and links that were added and removed
      former: "text",
      links: "text",
    }),
    table("exports", {
      id: identity,
      account_id: account,
      token: "text NOT NULL",
      person_id: "integer NOT NULL",
      types: "text[] NOT NULL",
      format: "text NOT NULL",
      line_separator: "text NOT NULL",
      changed_since: nullable(instant),
      state: "text NOT NULL",
      type: "text",
      line: "integer NOT NULL DEFAULT 0",
      file: "text",
      exceeded: "text",
      large_types: "text[] NOT NULL DEFAULT '{}'",
      created_at: moment,
      finished_at: nullable(instant),
    }),
    // what is done about the data of a person, and its progress, which is updated in the transaction of the step
    table("privacy_jobs", {
      id: identity,
      account_id: account,
      token: "text NOT NULL",
      person_id: "integer NOT NULL",
      // the person concerned
      subject_id: "integer NOT NULL",
      // export or anonymise
      kind: "text NOT NULL",
      // queued, processing, done or failed
      state: "text NOT NULL",
      // JSON: the state needed to resume after an interruption
      position: "text",
      total: "integer NOT NULL DEFAULT 0",
      done: "integer NOT NULL DEFAULT 0",
      // JSON: counts by part
      counts: "text",
      file: "text",
      created_at: moment,
      finished_at: nullable(instant),
    }),
    // how long an account keeps what, where that is not forever
    table("retention_periods", {
      account_id: account,
      subject: "text NOT NULL",
      days: "integer NOT NULL",
      updated_by_id: "integer",
      updated_at: instant,
      // of the last run of the job
      last_run_at: nullable(instant),
      last_deleted: "integer NOT NULL DEFAULT 0",
    }),
  ],
  extras: [
    index("imports_token", "imports", "(token)", true),
    index("imports_account_id", "imports", "(account_id, id)"),
    index("import_rows_key", "import_rows", "(import_id, line)", true),
    index("import_rows_state", "import_rows", "(import_id, state, line)"),
    index("exports_token", "exports", "(token)", true),
    index("exports_account_id", "exports", "(account_id, id)"),
    index("privacy_jobs_token", "privacy_jobs", "(token)", true),
    index("privacy_jobs_account_id", "privacy_jobs", "(account_id, id)"),
    index("privacy_jobs_subject_id", "privacy_jobs", "(subject_id)"),
    index("retention_periods_key", "retention_periods", "(account_id, subject)", true),
    foreignKey("imports", "person_id", "people"),
    foreignKey("import_rows", "import_id", "imports"),
    foreignKey("exports", "person_id", "people"),
    foreignKey("privacy_jobs", "person_id", "people"),
    foreignKey("privacy_jobs", "subject_id", "people"),
  ],
};
