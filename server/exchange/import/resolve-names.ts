import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { buildColumns } from "../columns.ts";
import { type Exchange, findRowFile } from "../exchange-context.ts";
import { findImportType } from "../exchange-types.ts";
import { RecordLookup } from "../natural-keys.ts";
import type { ReadColumn } from "./column-report.ts";
import type { ListedRow } from "./import-rows.ts";
import type { ImportJob } from "./imports.ts";
import { isReferenceField } from "./row-to-body.ts";

const selectColumns = statement("SELECT columns FROM imports WHERE id = $1 AND account_id = $2");

/**
 * Marks cells that named no record when the file was checked and name one now: a page that is loaded again must not offer
 * to create the record a second time.
 */
export async function markKnownNames(
  exchange: Exchange,
  by: Caller,
  job: ImportJob,
  rows: readonly ListedRow[],
): Promise<ListedRow[]> {
  const { engine } = exchange;
  const exchangeType = findRowFile(exchange, job.type) === null ? findImportType(engine.types, job.type) : null;
  const hasUnknown = rows.some(({ errors }) => errors.some(([, , lookup]) => lookup === "unknown"));
  if (exchangeType === null || !hasUnknown) return [...rows];
  const fields = new Map(buildColumns(engine.types, exchangeType).map(({ name, field }) => [name, field]));
  return engine.database.transaction(async (tx) => {
    const [row] = await tx.query(selectColumns, [job.id, job.account_id]);
    const columns = JSON.parse(row?.[0] ?? "[]") as ReadColumn[];
    const lookup = new RecordLookup(engine, by);
    const isKnown = async (cells: ListedRow["cells"], name: string): Promise<boolean> => {
      const field = fields.get(name);
      const cell = cells?.[columns.findIndex((column) => column.field === name)]?.trim() ?? "";
      if (field === undefined || !isReferenceField(field) || cell === "") return false;
      const type = engine.types.get(field.to);
      await lookup.load(tx, type, [cell]);
      return typeof lookup.find(type, cell) === "object";
    };
    const marked: ListedRow[] = [];
    for (const listed of rows) {
      const errors: ListedRow["errors"][number][] = [];
      for (const error of listed.errors)
        errors.push(
          error[2] === "unknown" && (await isKnown(listed.cells, error[0])) ? [error[0], error[1], "known"] : error,
        );
      marked.push({ ...listed, errors });
    }
    return marked;
  });
}
