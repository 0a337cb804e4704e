import type { Field, ValueOf } from "../../records/vocabulary/index.ts";

// PostgreSQL sends every column of a result row as text. These functions give a column its type.

type Column = string | null | undefined;

export const parseNumberOrNull = (text: Column): number | null => (text == null ? null : Number(text));

export const parseBoolean = (text: Column): boolean => text === "t";

/** The ids that json_agg collected; it gives null for no rows. */
export const parseIds = (text: Column): number[] => JSON.parse(text ?? "[]");

/** The column of a choice field, typed as one of its values. */
export const parseChoice = <F extends Field & { kind: "enum" }>(_field: F, text: Column): ValueOf<F> | null =>
  (text ?? null) as ValueOf<F> | null; // every write of the column was checked against the values of the field
