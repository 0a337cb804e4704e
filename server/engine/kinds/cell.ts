import type { Field } from "../../../records/vocabulary/index.ts";
import type { Type, TypeRegistry } from "../declaration/type.ts";

// How files hold the values of a kind: one cell per value. server/exchange provides the contexts.

/** SQL of the text of a cell, given the alias of the row. */
export type CellSql = (row: string) => string;

/** The context for selecting the text of a cell. */
export type CellContext<F extends Field = Field> = {
  type: Type;
  name: string;
  field: F;
  types: TypeRegistry;
  /** the column of the field */
  value: CellSql;
  /** the key that names the record whose id the column holds */
  nameRecord(target: Type): CellSql;
  /** the keys of the records that a table links, one per line */
  nameLinked(target: Type, table: string): CellSql;
};

export type CellForm<F extends Field = Field> = {
  /** the text to select, where it is not that of the column */
  select?(context: CellContext<F>): CellSql;
  /** the same for values that have no column; null: they cannot be exported */
  selectLinked?(context: Omit<CellContext<F>, "value" | "nameRecord">): CellSql | null;
  /** whether a cell names one record of a type, or several of them, one per line */
  names?(field: F): "one" | "several" | null;
  /** from the selected text */
  format?(text: string): string;
  /** no spreadsheet takes the text for a formula, or it must be taken as it is */
  isFormulaSafe?: true;
  /** to the input of the API; throws a Refusal */
  parse?(cell: string): unknown;
};
