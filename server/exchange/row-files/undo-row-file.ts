import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { describeRefusal } from "../import/import-rows.ts";
import { isRetryable } from "../import/retryable.ts";
import type { RowFile, RowTrace } from "./row-file.ts";

type TracedRow = { former: string | null };

/** Undoes rows of a file that holds no records, last first; returns for each the effects that stay. */
export async function undoFileRows(
  { engine, by, file }: { engine: Engine; by: Caller; file: RowFile },
  tx: Transaction,
  rows: readonly TracedRow[],
): Promise<[string, string][][]> {
  const outcomes: [string, string][][] = [];
  for (const { former } of rows) {
    const trace = JSON.parse(former ?? "{}") as RowTrace;
    try {
      outcomes.push(await tx.savepoint((part) => file.undo({ engine, by }, part, trace)));
    } catch (error) {
      const refusal = isRetryable(error) ? null : describeRefusal(error, by.language);
      if (refusal === null) throw error;
      outcomes.push(refusal);
    }
  }
  return outcomes;
}
