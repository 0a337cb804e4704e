import { Forbidden } from "../base/errors.ts";
import { fieldsForCreate, mayCreate } from "./access.ts";
import { type Caller, loadCallerInAccount } from "./caller.ts";
import { createUnchecked } from "./change.ts";
import type { Engine } from "./engine.ts";
import type { Operation } from "./operation.ts";
import type { Values } from "./rules.ts";
import type { Type } from "./types.ts";
import { updateInTransaction } from "./update.ts";
import { translateDatabaseError } from "./write/database-errors.ts";
import { type Body, readInput } from "./write/input.ts";
import { respond, type SavedRecord, type SaveResult } from "./write/respond.ts";

/** The parent of a child that is created: the values that come from the path, and the account of the parent. */
export type ParentContext = { fixed: Values; account: string };

/** Creates a record in the account of the call, or under a parent, on which the caller has checked the rights. */
export async function create(
  engine: Engine,
  by: Caller,
  type: Type,
  body: Body,
  parent?: ParentContext,
): Promise<SaveResult> {
  try {
    const buildResult = await engine.database.transaction(async (tx) => {
      const operation = { engine, tx, by, type };
      const revealed: Values = {};
      const { stored, ...saved } = await createInTransaction(operation, body, parent, revealed);
      return respond(operation, saved, body, revealed, stored && { values: stored, isNew: true });
    }, by.zone);
    return await buildResult();
  } catch (error) {
    throw translateDatabaseError(type, error);
  }
}

type CreatedRecord = SavedRecord & {
  /** of a record that existed */
  replaced?: { before: Values; after: Values };
  /** the values of a new one */
  stored?: Values;
};

export async function createInTransaction(
  operation: Operation,
  body: Body,
  parent?: ParentContext,
  revealed: Values = {},
): Promise<CreatedRecord> {
  const { engine, tx, type } = operation;
  if (parent === undefined && !mayCreate(type, operation.by)) throw new Forbidden();
  const { values, attachments, problems, ignored } = readInput(type, body, operation.by, "create");
  const rules = engine.rules.forType(type.name);
  const account = await rules.accountForCreate?.(tx, operation.by, values);
  const by = account == null ? operation.by : await loadCallerInAccount(engine.database, operation.by, account);
  const fields = parent === undefined ? fieldsForCreate(type, by) : null;
  const given = [...Object.keys(values).filter((name) => values[name] !== null), ...attachments.keys()];
  if (fields !== null && given.some((name) => !fields.has(name))) throw new Forbidden();
  const existing = await rules.existingFor?.(tx, by, values);
  if (existing != null) {
    const updated = await updateInTransaction({ engine, tx, by, type }, existing, body, { revealed });
    const { before, after } = updated;
    return {
      id: existing,
      account: updated.account,
      ignored: updated.ignored,
      existing: true,
      replaced: { before, after },
    };
  }
  const stored: { values?: Values } = {};
  const options = { attachments, problems, revealed, stored, ...parent };
  const id = await createUnchecked({ engine, tx, by, type }, values, options);
  return {
    id,
    account: parent?.account ?? by.account,
    ignored,
    ...(stored.values === undefined ? {} : { stored: stored.values }),
  };
}
