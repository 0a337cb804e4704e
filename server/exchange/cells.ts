import type { Field } from "../../records/vocabulary/index.ts";
import { getKind } from "../engine/kinds/index.ts";

// Converts values to the text of cells and back.

/** Text that a spreadsheet would take for a formula, also after the tabs that prevent it. */
const formula = /^[\t\r\n]*[=+\-@]/;

/** A leading tab makes a formula plain text; the import removes it. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `\t${text}` : text);
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("\t") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

/** `text` is PostgreSQL's text format. */
export function formatCell(field: Field, text: string | null | undefined): string {
  if (text === null || text === undefined) return "";
  const { format, isFormulaSafe } = getKind(field).cell ?? {};
  const cell = format?.(text) ?? text;
  return isFormulaSafe ? cell : escapeFormula(cell);
}

/** The API input for a cell without references. */
export const parseCell = (field: Field, cell: string): unknown =>
  cell === "" ? null : (getKind(field).cell?.parse ?? String)(cell);
