import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type {
  exportEntry,
  fileColumn,
  fileRow,
  importColumn,
  importEntry,
  importOperations,
  importSummary,
} from "../../records/answers/imports.ts";
import type { Query } from "./call.ts";
import { recordsApi } from "./records.ts";

// Imports and exports, for administrators.

export type ImportEntry = AnswerOf<typeof importEntry>;
export type ImportSummary = AnswerOf<typeof importSummary>;
export type FileColumn = AnswerOf<typeof fileColumn>;
export type FileRow = AnswerOf<typeof fileRow>;
/** Pages don't show undone rows. */
export type RowState = Exclude<FileRow["state"], "undone">;
export type ImportColumn = AnswerOf<typeof importColumn>;
export type ExportEntry = AnswerOf<typeof exportEntry>;
export type AgainOptions = AnswerOf<(typeof importOperations)["POST /import/:token/again"]["body"]>;
export type Corrections = NonNullable<AgainOptions["corrections"]>;

export const exchangeApi = (account: string) => {
  const rest = recordsApi(account);
  return {
    imports: (query: Query) => rest.list<ImportEntry>("/import", query),
    exports: (query: Query) => rest.list<ExportEntry>("/export", query),
    types: () => rest.call("GET /import_types", {}),
    type: (type: string) => rest.call("GET /import_types/:type", { type }),
    /** Uploads a file and checks it. */
    check(type: string, file: File) {
      const form = new FormData();
      form.append("type", type);
      form.append("dry_run", "true");
      form.append("file", file, file.name);
      return rest.call("POST /import", {}, form);
    },
    summary: (token: string) => rest.call("GET /import/:token/summary", { token }),
    rows: (token: string, state: RowState, afterLine: number) =>
      rest.call("GET /import/:token/rows", { token, state, after_line: afterLine, per_page: 50 }),
    again: (token: string, options: AgainOptions) => rest.call("POST /import/:token/again", { token }, options),
    stop: (token: string) => rest.call("DELETE /import/:token", { token }),
    undo: (token: string) => rest.call("POST /import/:token/undo", { token }),
    /** Null: nothing has changed since then. */
    async startExport(
      types: readonly string[],
      format: ExportEntry["format"],
      from: string | null,
    ): Promise<string | null> {
      const body = { type: types.join(","), export_format: format, ...(from === null ? {} : { from }) };
      return (await rest.call("POST /export", {}, body))?.token ?? null;
    },
  };
};
