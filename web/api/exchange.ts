import { type Query, readJson } from "./call.ts";
import { recordsApi } from "./records.ts";
import { callRest } from "./rest.ts";

// Imports and exports, as administrators see them.

export type ImportResults = Record<"created" | "updated" | "unchanged" | "failures" | "errors", number>;
export type ImportEntry = {
  token: string;
  type: string;
  file_name: string | null;
  state: "queued" | "processing" | "done" | "error";
  dry_run: boolean;
  suppress_events: boolean;
  stopped: boolean;
  message: string | null;
  total: number | null;
  done: number;
  seconds: number | null;
  results: ImportResults;
  undo: { state: "queued" | "processing" | "done"; total: number; undone: number; kept: number } | null;
  can_undo: boolean;
  /** of a check: the import that was started from its file */
  import_token: string | null;
  person: { id: number; name: string } | null;
  /** what uploaded the file; null: a browser */
  program: { token?: string; application?: string } | null;
  created_at: string;
  finished_at: string | null;
};
export type FileColumn = { header: string; field: string | null; known: boolean; samples: string[]; filled: number };
export type ImportSummary = ImportEntry & {
  rate?: number;
  remaining?: number;
  columns: FileColumn[];
  mapping: Record<string, string | null> | null;
  logfile?: string;
  error_file?: string;
};
export type FileRow = {
  line: number;
  record_id: number | null;
  cells: string[] | null;
  shown: Record<string, string>;
  /** a third text where a cell named no record or several; `known`: there is one by now */
  errors: [field: string, text: string, lookup?: "unknown" | "ambiguous" | "known"][];
};
export type RowState = "refused" | "changed" | "new" | "kept";
export type ImportColumn = {
  name: string;
  header: string;
  required: boolean;
  refers_to?: string;
  by?: string[];
  several?: boolean;
};
export type ExportEntry = {
  token: string;
  types: string[];
  format: string;
  state: "queued" | "processing" | "done" | "failed";
  type: string | null;
  line: number;
  url?: string;
  rate_limit_exceeded: string | null;
  again_at: string | null;
  person: { id: number; name: string } | null;
  created_at: string;
  finished_at: string | null;
};
export type Corrections = Record<string, Record<string, string> | null>;
export type AgainOptions = {
  dry_run?: boolean;
  suppress_events?: boolean;
  mapping?: Record<string, string | null>;
  corrections?: Corrections;
};

export const exchangeApi = (account: string) => {
  const rest = recordsApi(account);
  return {
    imports: (query: Query) => rest.list<ImportEntry>("/import", query),
    exports: (query: Query) => rest.list<ExportEntry>("/export", query),
    types: () => rest.get<{ type: string }[]>("/import_types"),
    type: (type: string) => rest.get<{ can_map: boolean; columns: ImportColumn[] }>(`/import_types/${type}`),
    /** Uploads a file and checks it. */
    check(type: string, file: File): Promise<{ token: string }> {
      const form = new FormData();
      form.append("type", type);
      form.append("dry_run", "true");
      form.append("file", file, file.name);
      return readJson(callRest(account, { method: "POST", path: "/import", body: form }));
    },
    summary: (token: string) => rest.get<ImportSummary>(`/import/${token}/summary`),
    rows: (token: string, state: RowState, afterLine: number) =>
      rest.get<FileRow[]>(`/import/${token}/rows`, { state, after_line: String(afterLine), per_page: "50" }),
    again: (token: string, options: AgainOptions) => rest.ask<{ token: string }>(`/import/${token}/again`, options),
    stop: (token: string) => rest.remove(`/import/${token}`),
    undo: (token: string) => rest.ask<ImportSummary>(`/import/${token}/undo`, {}),
    /** Null: nothing has changed since then. */
    async startExport(types: readonly string[], format: string, from: string | null): Promise<string | null> {
      const body = { type: types.join(","), export_format: format, ...(from === null ? {} : { from }) };
      const response = await callRest(account, { method: "POST", path: "/export", body });
      return response.status === 204 ? null : ((await response.json()) as { token: string }).token;
    },
  };
};
