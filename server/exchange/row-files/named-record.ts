import { Invalid } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import { unescapeFormula } from "../cells.ts";
import type { RowCells } from "../import/import-context.ts";
import { buildLookupProblem } from "../import/row-to-body.ts";
import type { RowFileContext } from "./row-file.ts";

export const readCell = (cells: RowCells, name: string): string => unescapeFormula(cells.get(name) ?? "").trim();

/** The id of the record that a cell names. */
export async function requireNamedRecord(
  { engine, lookup }: RowFileContext,
  tx: Transaction,
  cells: RowCells,
  { name, type: typeName }: { name: string; type: string },
): Promise<number> {
  const cell = readCell(cells, name);
  if (cell === "") throw new Invalid([[name, "can't be blank"]]);
  const type = engine.types.get(typeName);
  await lookup.load(tx, type, [cell]);
  const found = lookup.find(type, cell);
  if (typeof found !== "object") throw new Invalid([buildLookupProblem(name, found)]);
  return Number(found.id);
}
