import { Invalid } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CsvRow } from "../formats/csv.ts";
import { buildRowCaller } from "../import/import-context.ts";
import type { RowChange, RowResult } from "../import/save-rows.ts";
import type { RowOutcome } from "../import/upsert-row.ts";
import { RecordLookup } from "../natural-keys.ts";
import type { RowFile, SavedFileRow } from "./row-file.ts";

/** Saves a chunk of rows one after the other; a row that is refused changes nothing. */
export async function saveRowFile(
  file: RowFile,
  { engine, by, names }: { engine: Engine; by: Caller; names: readonly string[] },
  tx: Transaction,
  rows: readonly CsvRow[],
  isRetryable: (error: unknown) => boolean,
): Promise<RowResult[]> {
  const lookup = new RecordLookup(engine, by);
  const results: RowResult[] = [];
  for (const { line, cells } of rows)
    try {
      if (cells.length !== names.length)
        throw new Invalid([["base", `the row has ${cells.length} cells, the header ${names.length}`]]);
      const byName = new Map(names.map((name, index) => [name, cells[index] as string]));
      const context = { engine, by: buildRowCaller(by, line), lookup };
      results.push({ line, cells, ...describeRow(await tx.savepoint((part) => file.save(context, part, byName))) });
    } catch (failure) {
      if (isRetryable(failure)) throw failure;
      results.push({ line, cells, failure });
    }
  return results;
}

/** A row without a trace is counted and not undone. */
function describeRow(saved: SavedFileRow): { outcome: RowOutcome; saved?: RowChange } {
  if (typeof saved === "string") return { outcome: saved };
  const { outcome, trace } = saved;
  return { outcome, saved: { id: null, former: trace, links: {} } };
}

/** The columns that the headers of a file name, by header or by field. */
export function matchRowFileHeaders(
  { columns }: RowFile,
  headers: readonly string[],
): { names: string[]; unknown: string[]; twice: string[] } {
  const byWord = new Map(
    Object.entries(columns).flatMap(([name, header]) => [[name, name] as const, [header.toLowerCase(), name] as const]),
  );
  const found = headers.map((header) => byWord.get(header.trim().toLowerCase()));
  const named = found.filter((name) => name !== undefined);
  return {
    names: named,
    unknown: headers.filter((_, index) => found[index] === undefined),
    twice: headers.filter((_, index) => named.indexOf(found[index] ?? "") !== named.lastIndexOf(found[index] ?? "")),
  };
}
