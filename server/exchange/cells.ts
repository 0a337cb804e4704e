import type { Field } from "../../records/vocabulary/index.ts";
import { getKind } from "../engine/kinds/index.ts";
import { Refusal } from "../engine/kinds/kind.ts";

// A value as the text of a cell, and back.

/** What a spreadsheet would take for a formula, also behind the tabs that keep it from doing so. */
const formula = /^[\t\r\n]*[=+\-@]/;

/** A tab before it makes a formula plain text; the import takes it off again. */
export const inert = (text: string): string => (formula.test(text) ? `\t${text}` : text);
export const asWritten = (cell: string): string =>
  cell.startsWith("\t") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;

const plain: ReadonlySet<Field["kind"]> = new Set([
  "id",
  "integer",
  "decimal",
  "float",
  "duration",
  "date",
  "timeOfDay",
]);
const inJson: ReadonlySet<Field["kind"]> = new Set(["customFields", "hash", "recurrence"]);

/** From PostgreSQL's text. */
export function cellOf(field: Field, text: string | null | undefined): string {
  if (text === null || text === undefined) return "";
  if (field.kind === "boolean") return text === "t" ? "1" : "0";
  if (field.kind === "datetime" || field.kind === "localDatetime")
    return JSON.parse(getKind(field).write(text)) as string;
  if (plain.has(field.kind) || inJson.has(field.kind)) return text;
  if (field.kind === "strings") return inert(linesOf(JSON.parse(text) as string[], text));
  return inert(text);
}

/** One entry per line, unless lines could not tell the entries apart. */
function linesOf(entries: readonly string[], json: string): string {
  const isClear = entries.every((entry) => entry !== "" && !/[\r\n]/.test(entry)) && !entries[0]?.startsWith("[");
  return isClear ? entries.join("\n") : json;
}

/** What the API would be given for a cell that names no records. */
export function memberOf(field: Field, cell: string): unknown {
  if (cell === "") return null;
  if (inJson.has(field.kind)) return parsed(cell);
  if (field.kind === "strings") {
    if (!cell.startsWith("[")) return cell.split(/\r?\n/);
    const list = parsed(cell);
    return Array.isArray(list) ? list : [cell];
  }
  return cell;
}

function parsed(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw new Refusal("is not a valid object");
  }
}
