import { Invalid } from "../../../base/errors.ts";
import type { Transaction } from "../../../database/database.ts";
import type { FormerValues } from "../../../engine/restore-values.ts";
import type { CsvRow } from "../../formats/csv.ts";
import { RecordLookup } from "../../natural-keys.ts";
import { buildRowCaller, type ImportContext, type RowCells } from "../import-context.ts";
import { findRecordNames, isReferenceField } from "../row-to-body.ts";
import { type RowResult, saveRows } from "../save-rows.ts";
import { type SavedRow, updateRow } from "../upsert-row.ts";
import { describeNames, refersToRefusedRow } from "./names-in-file.ts";

// Rows that refer to each other in a circle: none of them can be saved first. They are saved without these references, which
// are set afterwards. If one of the rows is refused, so are the others.

/** Rolls back what was saved of the circle. */
class CycleRefused extends Error {
  readonly results: readonly RowResult[];
  constructor(results: readonly RowResult[]) {
    super("a row of a circle was refused");
    this.results = results;
  }
}

export async function saveCycle(
  context: ImportContext,
  tx: Transaction,
  rows: readonly CsvRow[],
  isRetryable: (error: unknown) => boolean,
): Promise<RowResult[]> {
  const { type } = context.exchangeType;
  const isOwnReference = (column: ImportContext["columns"][number]) =>
    column !== null && isReferenceField(column.field) && column.field.to === type.name;
  const columnsWithout = context.columns.map((column) => (isOwnReference(column) ? null : column));
  try {
    return await tx.savepoint(async (part) => {
      const results = await saveRows({ ...context, columns: columnsWithout }, part, rows, isRetryable);
      if (results.some((result) => "failure" in result)) throw new CycleRefused(results);
      const linked: RowResult[] = [];
      for (const [index, result] of results.entries()) {
        const cells = new Map(
          context.columns.flatMap((column, at) =>
            column !== null && isOwnReference(column) ? [[column.name, rows[index]?.cells[at] ?? ""] as const] : [],
          ),
        );
        linked.push(await setReferences(context, part, result, cells, isRetryable));
      }
      if (linked.some((result) => "failure" in result)) throw new CycleRefused(linked);
      return linked;
    });
  } catch (error) {
    if (!(error instanceof CycleRefused)) throw error;
    return refuseAll(context, rows, error.results);
  }
}

async function setReferences(
  context: ImportContext,
  tx: Transaction,
  result: RowResult,
  cells: RowCells,
  isRetryable: (error: unknown) => boolean,
): Promise<RowResult> {
  if (!("outcome" in result) || result.saved?.id == null) return result;
  const { line, saved, outcome } = result;
  const id = Number(saved.id);
  const given = outcome === "created" ? new Map([...cells].filter(([, cell]) => cell !== "")) : cells;
  const ofRow = { ...context, by: buildRowCaller(context.by, line) };
  const lookup = new RecordLookup(context.engine, context.by);
  try {
    const names = [...findRecordNames(ofRow, given)].map(({ cell }) => cell);
    await lookup.load(tx, context.exchangeType.type, names);
    const later = await tx.savepoint((part) => updateRow(ofRow, part, lookup, given, id, true));
    return { ...result, ...mergeChanges(outcome, saved as SavedRow, later) };
  } catch (failure) {
    if (isRetryable(failure)) throw failure;
    return { line, cells: result.cells, failure };
  }
}

function mergeChanges(outcome: SavedRow["outcome"], first: SavedRow, later: SavedRow) {
  const links = { ...first.links, ...later.links };
  // An undo erases a new record, so its values don't matter.
  if (outcome === "created") return { saved: { ...first, links } };
  const former: FormerValues = { ...later.former };
  for (const [name, { before, after }] of Object.entries(first.former))
    former[name] = { before, after: later.former[name]?.after ?? after };
  return { outcome: outcome === "unchanged" ? later.outcome : outcome, saved: { ...first, former, links } };
}

/** Each row has its own mistake, or that of the row on which it depends. */
function refuseAll(context: ImportContext, rows: readonly CsvRow[], results: readonly RowResult[]): RowResult[] {
  const culprit = results.find((result) => "failure" in result)?.line ?? 0;
  const names = describeNames(context);
  return results.map((result, index) => {
    if ("failure" in result) return result;
    const field = names?.listReferences(rows[index] as CsvRow)[0]?.field ?? "base";
    const failure = new Invalid([[field, refersToRefusedRow, { row: culprit }]]);
    return { line: result.line, cells: result.cells, failure };
  });
}
