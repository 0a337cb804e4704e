import type { Field } from "../../records/vocabulary/index.ts";
import type { Problem } from "../base/errors.ts";
import { Refusal } from "../engine/kinds/kind.ts";
import type { Type } from "../engine/types.ts";
import { asWritten, memberOf } from "./cells.ts";
import type { Column } from "./columns.ts";
import type { LookUp } from "./keys.ts";
import type { Cells, Reading } from "./reading.ts";

// What the cells of a row say, as the API would be told.

export const unfound = { nothing: "is not valid", several: "matches several records" };

/** The cells of a row in which records are named, by the types they may be of. */
export function* namesIn(reading: Reading, cells: Cells): Generator<{ type: Type; cell: string }> {
  const { types } = reading.engine;
  for (const { name, field } of givenColumns(reading, cells))
    if (namesRecords(field))
      for (const cell of linesOf(field, asWritten(cells.get(name) as string)))
        yield { type: types.get(field.to), cell };
}

/** The columns that a row has cells for and whose fields callers may write. */
export const givenColumns = ({ columns }: Reading, cells: Cells): Column[] =>
  columns.filter(
    (column) =>
      column !== null && cells.has(column.name) && column.field.access !== "readonly" && !column.field.internal,
  ) as Column[];

/** The body that a call of the API would bring. */
export function membersOf(
  reading: Reading,
  lookUp: LookUp,
  cells: Cells,
  problems: Problem[],
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const { name, field, isLink } of givenColumns(reading, cells)) {
    if (isLink) continue;
    const cell = asWritten(cells.get(name) as string);
    try {
      members[name] = namesRecords(field) ? idsOf(reading, lookUp, field, cell) : memberOf(field, cell);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push([name, error.message, error.values]);
    }
  }
  return members;
}

export type Naming = Field & { to: string };

const namesRecords = (field: Field): field is Naming =>
  field.kind === "references" || (field.kind === "reference" && field.or === undefined);

function idsOf({ engine }: Reading, lookUp: LookUp, field: Naming, cell: string): unknown {
  const target = engine.types.get(field.to);
  const ids = linesOf(field, cell).map((line) => {
    const found = lookUp.find(target, line);
    if (typeof found !== "object") throw new Refusal(unfound[found]);
    return found.id;
  });
  return field.kind === "references" ? ids : (ids[0] ?? null);
}

/** Several references in one cell stand one per line. */
export const linesOf = (field: Naming, cell: string): string[] =>
  (field.kind === "references" ? cell.split(/\r?\n/) : [cell]).map((line) => line.trim()).filter((line) => line !== "");
