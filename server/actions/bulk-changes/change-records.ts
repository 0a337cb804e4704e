import { formatMessage } from "../../../records/languages/index.ts";
import { Forbidden, Invalid, NotFound, TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError, type Log } from "../../base/log.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { linkByNameInTransaction, linkInTransaction, unlinkInTransaction } from "../../engine/links.ts";
import type { Operation } from "../../engine/operation.ts";
import { type FormerValues, pickFormerValues, restoreValues } from "../../engine/restore-values.ts";
import type { Type } from "../../engine/types.ts";
import { updateInTransaction } from "../../engine/update.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";

/** By link: the ids of records to link, or the names of records that are linked by name. */
export type LinksToAdd = Readonly<Record<string, readonly (number | string)[]>>;
/** By link: the ids that were not linked before. */
export type AddedLinks = Record<string, number[]>;
/** The changes of a bulk change to each record. */
export type RecordChange = { members: Readonly<Record<string, unknown>>; links: LinksToAdd };

export type RecordOutcome =
  | { state: "changed" | "unchanged" | "undone"; former: FormerValues; linked: AddedLinks }
  | { state: "refused"; errors: [string, string][] };

type ChangeContext = { engine: Engine; log: Log; by: Caller; type: Type };

/** Changes one record in a part of the transaction: a refusal concerns this record alone. */
export const changeRecord = (
  context: ChangeContext,
  tx: Transaction,
  id: number,
  { members, links }: RecordChange,
): Promise<RecordOutcome> =>
  attempt(context, tx, id, async (part) => {
    const { engine, by, type } = context;
    const operation = { engine, tx: part, by, type };
    const linked = await addLinks(operation, id, links);
    const hasLinked = Object.keys(linked).length > 0;
    if (Object.keys(members).length === 0) return { state: hasLinked ? "changed" : "unchanged", former: {}, linked };
    const { before, after, isChanged } = await updateInTransaction(operation, id, { members });
    const state = isChanged || hasLinked ? "changed" : "unchanged";
    return { state, former: pickFormerValues(type, before, after), linked };
  });

async function addLinks(operation: Operation, id: number, links: LinksToAdd): Promise<AddedLinks> {
  const added: AddedLinks = {};
  for (const [name, others] of Object.entries(links))
    for (const other of others) {
      const { otherId, isNew } =
        typeof other === "string"
          ? await linkByNameInTransaction(operation, id, name, { members: { name: other } })
          : { otherId: other, isNew: await linkInTransaction(operation, id, name, other) };
      if (isNew) added[name] = [...(added[name] ?? []), otherId];
    }
  return added;
}

/** A link that another caller has removed meanwhile no longer exists. */
async function removeLinks(operation: Operation, id: number, links: AddedLinks): Promise<void> {
  for (const [name, others] of Object.entries(links))
    for (const other of others)
      try {
        await unlinkInTransaction(operation, id, name, other);
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
      }
}

export const undoRecord = (
  context: ChangeContext,
  tx: Transaction,
  id: number,
  { former, linked }: { former: FormerValues; linked: AddedLinks },
): Promise<RecordOutcome> =>
  attempt(context, tx, id, async (part) => {
    const { engine, by, type } = context;
    const operation = { engine, tx: part, by, type };
    await removeLinks(operation, id, linked);
    if (Object.keys(former).length > 0) await restoreValues(operation, id, former);
    return { state: "undone", former, linked };
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
  const { code, message } = error as { code?: string; message?: string }; // what drivers throw
  return code === undefined ? /^Connection/.test(message ?? "") : /^(08|40|53|55P03|57|58)/.test(code);
}
