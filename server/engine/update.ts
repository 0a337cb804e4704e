import { Forbidden, PreconditionFailed } from "../base/errors.ts";
import { isAdministrator, limitedFields } from "./access.ts";
import type { Caller } from "./caller.ts";
import { applyChange, prepareChange } from "./change.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive } from "./find.ts";
import type { RowScope } from "./list.ts";
import type { Operation, RecordOperation } from "./operation.ts";
import type { Values } from "./rules.ts";
import type { Type } from "./types.ts";
import { resolveCodes } from "./write/codes.ts";
import { translateDatabaseError } from "./write/database-errors.ts";
import { type Body, readInput } from "./write/input.ts";
import { lockForChange } from "./write/lock.ts";
import { loadSavedRecord, respond, type SaveResult } from "./write/respond.ts";

/** `scope`: the rows that the path of the request is confined to. */
export async function update(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  body: Body,
  scope?: RowScope,
): Promise<SaveResult> {
  try {
    const buildResult = await engine.database.transaction(async (tx) => {
      const operation = { engine, tx, by, type };
      const revealed: Values = {};
      const { account, ignored, after } = await updateInTransaction(operation, id, body, { scope, revealed });
      return respond(operation, { id, account, ignored }, body, revealed, { values: after });
    }, by.zone);
    return await buildResult();
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}

/** Refuses a change that was meant for another revision of the record; the caller gets the record as it is. */
export async function checkRevision(
  { engine, tx, by, type, ...record }: RecordOperation,
  revision: number | null,
  expected: ReadonlySet<number> | undefined,
): Promise<void> {
  if (expected === undefined || revision === null || expected.has(revision)) return;
  const { json } = await loadSavedRecord(engine, tx, by, type, record);
  throw new PreconditionFailed(json, revision);
}

type UpdateOptions = {
  scope?: RowScope | undefined;
  /** values that come from the path, also of fields that bodies may not write */
  fixed?: Values;
  /** collects the members that only this response shows */
  revealed?: Values;
};

export async function updateInTransaction(
  operation: Operation,
  id: number,
  body: Body,
  { scope, fixed = {}, revealed = {} }: UpdateOptions = {},
): Promise<{ account: string; ignored: readonly string[]; isChanged: boolean; before: Values; after: Values }> {
  const { by, type } = operation;
  const someFields = limitedFields(type, by);
  const locked = await lockForChange(operation, id, "update", { scope, someFields, members: body.members });
  const { account, participant, values: before, onlyFields } = locked;
  await checkRevision({ ...operation, id, account }, locked.revision, body.revisions);
  refuseInactive(locked.lifeCycle);
  const { values, attachments, problems, ignored } = readInput(type, body, by, "update", before);
  Object.assign(values, fixed);
  await resolveCodes(operation, values, problems);
  const options = { attachments, problems, revealed, participant };
  const change = prepareChange(operation, { id, account, before }, values, options);
  const { changed } = change;
  if (onlyFields !== null && [...changed].some((name) => !onlyFields.has(name))) throw new Forbidden();
  if ((changed.has("source") || changed.has("sourceID")) && !isAdministrator(by, account)) throw new Forbidden();
  return { account, ignored, isChanged: await applyChange(change), before, after: change.after };
}
