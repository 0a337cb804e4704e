import type { Field } from "../../records/vocabulary/index.ts";
import { getKind } from "../engine/kinds/index.ts";
import { Refusal } from "../engine/kinds/kind.ts";

// Converts values to the text of cells and back.

/** Text that a spreadsheet would take for a formula, also after the tabs that prevent it. */
const formula = /^[\t\r\n]*[=+\-@]/;

/** A leading tab makes a formula plain text; the import removes it. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `\t${text}` : text);
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("\t") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

const plainKinds: ReadonlySet<Field["kind"]> = new Set([
  "id",
  "integer",
  "decimal",
  "float",
  "duration",
  "date",
  "timeOfDay",
]);
const jsonKinds: ReadonlySet<Field["kind"]> = new Set(["customFields", "hash", "recurrence"]);

/** `text` is PostgreSQL's text format. */
export function formatCell(field: Field, text: string | null | undefined): string {
  if (text === null || text === undefined) return "";
  if (field.kind === "boolean") return text === "t" ? "1" : "0";
  if (field.kind === "datetime" || field.kind === "localDatetime")
    return JSON.parse(getKind(field).write(text)) as string;
  if (plainKinds.has(field.kind) || jsonKinds.has(field.kind)) return text;
  if (field.kind === "strings") return escapeFormula(formatLines(JSON.parse(text) as string[], text));
  return escapeFormula(text);
}

/** One entry per line; JSON where that would be ambiguous. */
function formatLines(entries: readonly string[], json: string): string {
  const isClear = entries.every((entry) => entry !== "" && !/[\r\n]/.test(entry)) && !entries[0]?.startsWith("[");
  return isClear ? entries.join("\n") : json;
}

/** The API input for a cell without references. */
export function parseCell(field: Field, cell: string): unknown {
  if (cell === "") return null;
  if (jsonKinds.has(field.kind)) return parseJson(cell);
  if (field.kind === "strings") {
    if (!cell.startsWith("[")) return cell.split(/\r?\n/);
    const list = parseJson(cell);
    return Array.isArray(list) ? list : [cell];
  }
  return cell;
}

function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw new Refusal("is not a valid object");
  }
}
