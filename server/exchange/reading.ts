import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Column } from "./columns.ts";
import type { Subject } from "./words.ts";

/** What reading the rows of one file needs. */
export type Reading = {
  engine: Engine;
  by: Caller;
  subject: Subject;
  /** by cell; null: read over */
  columns: readonly (Column | null)[];
};

/** The cells of a row by field. */
export type Cells = ReadonlyMap<string, string>;

/** The columns that an export would write, too. */
export const written = ({ columns }: Reading): Column[] => columns.filter((column) => column?.sql != null) as Column[];
