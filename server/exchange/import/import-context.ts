import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { parseProgram } from "../../queue/origin-program.ts";
import type { Column } from "../columns.ts";
import type { ExchangeType } from "../exchange-types.ts";

/** The context of importing one file. */
export type ImportContext = {
  engine: Engine;
  by: Caller;
  exchangeType: ExchangeType;
  /** by position; null: the column is skipped */
  columns: readonly (Column | null)[];
  /** changes to existing records are rolled back immediately, so that other transactions don't wait for a check of a long file */
  takesBackUpdates?: true;
};

/**
 * The origin in the audit lines of an import; people identify imports by the beginning of their token. `program`: the one that
 * uploaded the file, or that undoes it.
 */
export const buildImportOrigin = ({ token, program }: { token: string; program: string | null }): ChangeOrigin => ({
  ...{ kind: "import", id: token.slice(0, 6) },
  ...parseProgram(program),
});

/** The importer, whose changes say which line of the file they come from. */
export const buildRowCaller = (by: Caller, row: number): Caller => ({
  ...by,
  changeOrigin: { ...by.changeOrigin, row },
});

/** The cells of a row by field. */
export type RowCells = ReadonlyMap<string, string>;

/** The columns that an export writes, too. */
export const pickComparableColumns = ({ columns }: ImportContext): Column[] =>
  columns.filter((column) => column?.sql != null) as Column[];
