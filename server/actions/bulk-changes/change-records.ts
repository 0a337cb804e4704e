import { formatMessage } from "../../../records/languages/index.ts";
import { Forbidden, Invalid, NotFound, TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError, type Log } from "../../base/log.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type FormerValues, pickFormerValues, restoreValues } from "../../engine/restore-values.ts";
import type { Type } from "../../engine/types.ts";
import { updateInTransaction } from "../../engine/update.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";
import type { Transaction } from "../../storage/database.ts";

export type RecordOutcome =
  | { state: "changed" | "unchanged" | "undone"; former: FormerValues }
  | { state: "refused"; errors: [string, string][] };

type ChangeContext = { engine: Engine; log: Log; by: Caller; type: Type };

/** Changes one record in a part of the transaction: a refusal concerns this record alone. */
export const changeRecord = (
  context: ChangeContext,
  tx: Transaction,
  id: number,
  members: Readonly<Record<string, unknown>>,
): Promise<RecordOutcome> =>
  attempt(context, tx, id, async (part) => {
    const { engine, by, type } = context;
    const { before, after, isChanged } = await updateInTransaction({ engine, tx: part, by, type }, id, { members });
    return { state: isChanged ? "changed" : "unchanged", former: pickFormerValues(type, before, after) };
  });

export const undoRecord = (
  context: ChangeContext,
  tx: Transaction,
  id: number,
  former: FormerValues,
): Promise<RecordOutcome> =>
  attempt(context, tx, id, async (part) => {
    const { engine, by, type } = context;
    await restoreValues({ engine, tx: part, by, type }, id, former);
    return { state: "undone", former };
  });

async function attempt(
  { log, by, type }: ChangeContext,
  tx: Transaction,
  id: number,
  work: (part: Transaction) => Promise<RecordOutcome>,
): Promise<RecordOutcome> {
  try {
    return await tx.savepoint(work);
  } catch (caught) {
    if (isRetryable(caught)) throw caught;
    const error = translateDatabaseError(type, caught);
    const errors = describeRefusal(error, by.language);
    if (errors === null)
      log.error("a record of a bulk change failed", { type: type.name, id, ...describeError(error) });
    return { state: "refused", errors: errors ?? [["base", "failed for a reason of ours"]] };
  }
}

/** The errors of the API; null: the record is not at fault. */
function describeRefusal(error: unknown, language: string): [string, string][] | null {
  if (error instanceof Forbidden) return [["base", "Forbidden"]];
  if (error instanceof NotFound) return [["base", "Not Found"]];
  if (!(error instanceof Invalid)) return null;
  return error.problems.map(([field, text, values]) => [field, formatMessage(language, text, values)]);
}

/** The database is unavailable, or the transaction conflicted with another: the whole batch is retried. */
function isRetryable(error: unknown): boolean {
  if (error instanceof Unavailable || error instanceof TimedOut) return true;
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? /^Connection/.test(message ?? "") : /^(08|40|53|55P03|57|58)/.test(code);
}
