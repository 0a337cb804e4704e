import type { CellForm } from "./cell.ts";
import { Refusal } from "./kind.ts";

// Forms of cells that several kinds share.

/** Digits, signs and separators. */
export const plainCell: CellForm = { isFormulaSafe: true };

/** An object, written as JSON. */
export const jsonCell: CellForm = { isFormulaSafe: true, parse: parseJson };

/** One entry per line; JSON where that would be ambiguous. */
export const linesCell: CellForm = {
  select:
    ({ value }) =>
    (row) =>
      `to_json(${value(row)})`,
  format(json) {
    const entries = JSON.parse(json) as string[];
    const isClear = entries.every((entry) => entry !== "" && !/[\r\n]/.test(entry)) && !entries[0]?.startsWith("[");
    return isClear ? entries.join("\n") : json;
  },
  parse(cell) {
    if (!cell.startsWith("[")) return cell.split(/\r?\n/);
    const list = parseJson(cell);
    return Array.isArray(list) ? list : [cell];
  },
};

function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw new Refusal("is not a valid object");
  }
}
