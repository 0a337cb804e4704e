import { opt, string } from "../../../records/vocabulary/index.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Types } from "../../engine/types.ts";
import type { Column } from "../columns.ts";
import type { RowCells } from "../import/import-context.ts";
import type { RowOutcome } from "../import/upsert-row.ts";
import type { RecordLookup } from "../natural-keys.ts";

// CO40: files whose rows are no records of their own, such as the roles of people. Each names its columns, selects its
// rows, and saves one.

export type RowFileContext = { engine: Engine; by: Caller; lookup: RecordLookup };

export const rowFileNames = [
  "custom_views",
  "email_templates",
  "organizations_time_allocations",
  "people_roles",
] as const;

/** The effect of a row, as far as an undo needs it. */
export type RowTrace = Readonly<Record<string, string | number | null>>;
export type SavedFileRow = RowOutcome | { outcome: RowOutcome; trace: RowTrace };

export type RowFile = {
  name: (typeof rowFileNames)[number];
  /** fields by their headers */
  columns: Readonly<Record<string, string>>;
  /** the columns by which a row finds what it changes; none: a second row does nothing */
  key: readonly string[];
  /** the cells of all rows of the account $1, in the order in which an import can read them again, as SQL */
  buildSelect(types: Types): string;
  /** Saves a row with the permissions of the caller; throws Invalid for a row that is refused. */
  save(context: RowFileContext, tx: Transaction, cells: RowCells): Promise<SavedFileRow>;
  /** Undoes the effect of a row, with the permissions of the caller; returns the effects that stay. */
  undo(context: Pick<RowFileContext, "engine" | "by">, tx: Transaction, trace: RowTrace): Promise<[string, string][]>;
};

const text = opt(string());

/** The columns as those of files of records. */
export const listColumns = ({ columns }: RowFile): Column[] =>
  Object.entries(columns).map(([name, header]) => ({ name, header, field: text, sql: null }));
