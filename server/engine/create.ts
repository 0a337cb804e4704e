import { Forbidden } from "../base/errors.ts";
import type { Transaction } from "../storage/database.ts";
import { fieldsForCreate, mayCreate } from "./access.ts";
import { type Caller, loadCallerInAccount } from "./caller.ts";
import { createUnchecked } from "./change.ts";
import type { Engine } from "./engine.ts";
import type { Values } from "./rules.ts";
import type { Type } from "./types.ts";
import { updateInTransaction } from "./update.ts";
import { type Body, readInput } from "./write/input.ts";
import { appendMembers, loadSavedJson, translateDatabaseError } from "./write/save.ts";

/** `existing`: no record was created, one that was there is what the create meant */
export type SaveResult = { id: number; json: string; ignored: readonly string[]; existing?: true };

/** A record made below another one: the values that come from the path, the account of the owner, its rights. */
export type ParentContext = { fixed: Values; account: string };

/** Creates a record in the account of the call, or below an owner, whose rights were checked before. */
export async function create(
  engine: Engine,
  viewer: Caller,
  type: Type,
  body: Body,
  below?: ParentContext,
): Promise<SaveResult> {
  try {
    return await engine.database.transaction(async (tx) => {
      const revealed: Values = {};
      const made = await createInTransaction(engine, tx, viewer, type, body, below, revealed);
      const json = body.skipResponse
        ? ""
        : appendMembers(await loadSavedJson(engine, tx, viewer, type, made.id), revealed);
      return { ...made, json };
    }, viewer.zone);
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}

/** The same inside a transaction that is under way. */
export async function createInTransaction(
  engine: Engine,
  tx: Transaction,
  viewer: Caller,
  type: Type,
  body: Body,
  below?: ParentContext,
  revealed: Values = {},
): Promise<Omit<SaveResult, "json">> {
  if (below === undefined && !mayCreate(type, viewer)) throw new Forbidden();
  const { values, attachments, problems, ignored } = readInput(type, body, viewer, "create");
  const rules = engine.rules.forType(type.name);
  const elsewhere = await rules.accountForCreate?.(tx, viewer, values);
  const by = elsewhere == null ? viewer : await loadCallerInAccount(engine.database, viewer, elsewhere);
  const fields = below === undefined ? fieldsForCreate(type, by) : null;
  const named = [...Object.keys(values).filter((name) => values[name] !== null), ...attachments.keys()];
  if (fields !== null && named.some((name) => !fields.has(name))) throw new Forbidden();
  const meant = await rules.existingFor?.(tx, by, values);
  if (meant != null) {
    const changed = await updateInTransaction(engine, tx, by, type, meant, body, undefined, {}, revealed);
    return { id: meant, ignored: changed.ignored, existing: true };
  }
  const id = await createUnchecked(engine, tx, by, type, values, { attachments, problems, revealed, ...below });
  return { id, ignored };
}
