import { Invalid } from "../../base/errors.ts";
import type { Engine } from "../../engine/engine.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { buildColumns, type Mapping } from "../columns.ts";
import { findImportType } from "../exchange-types.ts";
import type { CsvRow } from "../formats/csv.ts";

// How a file is to be read: which field each column is, and what is corrected in its rows.

/** By line: cells by header; null leaves the row out. */
export type Corrections = Readonly<Record<string, Readonly<Record<string, string>> | null>>;

const maxColumns = 1000;
const maxCorrections = 10_000;
const maxCellLength = 65_535;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `given`: an object, or the JSON text of one; null: nothing is given. */
function parseObject(name: string, given: unknown): Record<string, unknown> | null {
  if (given === undefined || given === null || given === "") return null;
  try {
    const parsed = typeof given === "string" ? (JSON.parse(given) as unknown) : given;
    if (isObject(parsed)) return parsed;
  } catch {
    // refused below
  }
  throw new Invalid([[name, "is not valid"]]);
}

export function parseMapping(engine: Engine, type: string, given: unknown): Mapping | null {
  const mapping = parseObject("mapping", given);
  if (mapping === null) return null;
  const exchangeType = findImportType(engine.types, type);
  if (exchangeType === null || Object.keys(mapping).length > maxColumns)
    throw new Invalid([["mapping", "is not valid"]]);
  const names = new Set(buildColumns(engine.types, exchangeType).map(({ name }) => name));
  for (const [header, name] of Object.entries(mapping))
    if (!isStorable(header) || !(name === null || (typeof name === "string" && names.has(name))))
      throw new Invalid([["mapping", "is not valid"]]);
  return mapping as Mapping;
}

export function parseCorrections(given: unknown): Corrections | null {
  const corrections = parseObject("corrections", given);
  if (corrections === null) return null;
  const isCell = (cell: unknown) => typeof cell === "string" && cell.length <= maxCellLength && isStorable(cell);
  const isRow = ([line, cells]: [string, unknown]) =>
    /^[1-9]\d{0,8}$/.test(line) &&
    (cells === null || (isObject(cells) && Object.keys(cells).every(isStorable) && Object.values(cells).every(isCell)));
  const rows = Object.entries(corrections);
  if (rows.length > maxCorrections || !rows.every(isRow)) throw new Invalid([["corrections", "is not valid"]]);
  return corrections as Corrections;
}

/** Later corrections of a row are added to the earlier ones. */
export function mergeCorrections(earlier: Corrections, later: Corrections): Corrections {
  const merged: Record<string, Record<string, string> | null> = { ...earlier } as never;
  for (const [line, cells] of Object.entries(later))
    merged[line] = cells === null ? null : { ...(merged[line] ?? {}), ...cells };
  return merged;
}

export async function* correctRows(
  rows: AsyncIterable<CsvRow>,
  headers: readonly string[],
  corrections: Corrections,
): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    const given = corrections[row.line];
    if (given === null) continue;
    yield given === undefined
      ? row
      : { ...row, cells: row.cells.map((cell, index) => given[headers[index] as string] ?? cell) };
  }
}
