import type { Field } from "../../../records/vocabulary/index.ts";
import type { Problem } from "../../base/errors.ts";
import { getKind } from "../../engine/kinds/index.ts";
import { Refusal } from "../../engine/kinds/kind.ts";
import type { Type } from "../../engine/types.ts";
import { parseCell, unescapeFormula } from "../cells.ts";
import type { Column } from "../columns.ts";
import type { RecordLookup } from "../natural-keys.ts";
import type { ImportContext, RowCells } from "./import-context.ts";

// Builds the body of an API call from the cells of a row.

const lookupProblems = { nothing: "is not valid", several: "matches several records" };
/** Returned to clients beside the message, so that they can offer to create or to choose the record. */
const lookupReasons = { nothing: "unknown", several: "ambiguous" };
export type FailedLookup = keyof typeof lookupProblems;

/** The reason why a cell names no usable record. */
export const refuseLookup = (found: FailedLookup): Refusal =>
  new Refusal(lookupProblems[found], { lookup: lookupReasons[found] });
export const buildLookupProblem = (field: string, found: FailedLookup): Problem => {
  const { message, values } = refuseLookup(found);
  return [field, message, values];
};

/** The references in the cells of a row, with their types. */
export function* findRecordNames(context: ImportContext, cells: RowCells): Generator<{ type: Type; cell: string }> {
  const { types } = context.engine;
  for (const { name, field } of pickWritableColumns(context, cells))
    if (isReferenceField(field))
      for (const cell of splitReferenceLines(field, unescapeFormula(cells.get(name) as string)))
        yield { type: types.get(field.to), cell };
}

/** The columns with cells in the row whose fields callers may write. */
export const pickWritableColumns = ({ columns }: ImportContext, cells: RowCells): Column[] =>
  columns.filter(
    (column) =>
      column !== null && cells.has(column.name) && column.field.access !== "readonly" && !column.field.internal,
  ) as Column[];

/** The body of the API call. */
export function buildBody(
  context: ImportContext,
  lookup: RecordLookup,
  cells: RowCells,
  problems: Problem[],
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const { name, field, isLink } of pickWritableColumns(context, cells)) {
    if (isLink) continue;
    const cell = unescapeFormula(cells.get(name) as string);
    try {
      members[name] = isReferenceField(field) ? resolveIds(context, lookup, field, cell) : parseCell(field, cell);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push([name, error.message, error.values]);
    }
  }
  return members;
}

export type ReferenceField = Field & { to: string };

const howManyNamed = (field: Field): "one" | "several" | null => getKind(field).cell?.names?.(field) ?? null;
export const isReferenceField = (field: Field): field is ReferenceField => howManyNamed(field) !== null;

function resolveIds({ engine }: ImportContext, lookup: RecordLookup, field: ReferenceField, cell: string): unknown {
  const target = engine.types.get(field.to);
  const ids = splitReferenceLines(field, cell).map((line) => {
    const found = lookup.find(target, line);
    if (typeof found !== "object") throw refuseLookup(found);
    return found.id;
  });
  return howManyNamed(field) === "several" ? ids : (ids[0] ?? null);
}

/** A cell with several references has one per line. */
export const splitReferenceLines = (field: ReferenceField, cell: string): string[] =>
  (howManyNamed(field) === "several" ? cell.split(/\r?\n/) : [cell])
    .map((line) => line.trim())
    .filter((line) => line !== "");
