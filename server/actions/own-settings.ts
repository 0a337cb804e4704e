import { ownSettings } from "../../records/answers/account.ts";
import { Forbidden, Invalid } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { applyChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { translateDatabaseError } from "../engine/write/database-errors.ts";
import { type Body, readInput } from "../engine/write/input.ts";
import { lockActiveValues } from "../engine/write/lock.ts";
import { respond, type SaveResult } from "../engine/write/respond.ts";

export async function updateOwnSettings(engine: Engine, by: Caller, body: Body): Promise<SaveResult> {
  const type = engine.types.get("person");
  const { id, account } = by.me;
  try {
    const buildResult = await engine.database.transaction(async (tx) => {
      const operation = { engine, tx, by, type };
      const before = await lockActiveValues(engine, tx, type, id, account);
      if (before === null) throw new Forbidden();
      const { values, attachments, problems, ignored } = readInput(type, body, by, "update", before);
      const change = prepareChange(operation, { id, account, before }, values, { attachments, problems });
      const isOwn = (name: string) => Object.hasOwn(ownSettings, name);
      if (attachments.size > 0 || ![...change.changed].every(isOwn)) throw new Forbidden();
      if (problems.length > 0) throw new Invalid(problems);
      await applyChange(change);
      return respond(operation, { id, account, ignored }, body, {});
    }, by.zone);
    return await buildResult();
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}
