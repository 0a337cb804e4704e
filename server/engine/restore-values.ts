import { Forbidden } from "../base/errors.ts";
import { limitedFields } from "./access.ts";
import { applyChange, prepareChange } from "./change.ts";
import { refuseInactive } from "./find.ts";
import type { Operation } from "./operation.ts";
import type { Values } from "./rules.ts";
import type { Type } from "./types.ts";
import { sameValue } from "./write/compare.ts";
import { lockForChange } from "./write/lock.ts";

/** Former values of a record by field, with the values that a change gave them. */
export type FormerValues = Record<string, { before: Values[string]; after: Values[string] }>;

/** The fields that callers may write and that differ: putting them back undoes the change. */
export function pickFormerValues(type: Type, before: Values, after: Values): FormerValues {
  const former: FormerValues = {};
  for (const [name, field] of type.fieldEntries) {
    const isWritable = field.access !== "readonly" && field.access !== "writeonly" && !field.internal;
    if (!isWritable || field.transient || field.onCreateOnly) continue;
    if (!sameValue(field, before[name], after[name]))
      former[name] = { before: before[name] ?? null, after: after[name] ?? null };
  }
  return former;
}

/**
 * Puts former values back, with the rights of the caller and all checks of a change. A field that has another value than
 * the change gave it was changed since, and stays: its name is returned.
 */
export async function restoreValues(operation: Operation, id: number, former: FormerValues): Promise<string[]> {
  const { by, type } = operation;
  const locked = await lockForChange(operation, id, "update", { someFields: limitedFields(type, by) });
  const { account, participant, values: current, onlyFields } = locked;
  refuseInactive(locked.lifeCycle);
  const values: Values = {};
  const kept: string[] = [];
  for (const [name, { before, after }] of Object.entries(former))
    if (sameValue(type.fields[name], current[name], after)) values[name] = before;
    else if (!sameValue(type.fields[name], current[name], before)) kept.push(name);
  const change = prepareChange(operation, { id, account, before: current }, values, { participant });
  if (onlyFields !== null && [...change.changed].some((name) => !onlyFields.has(name))) throw new Forbidden();
  await applyChange(change);
  return kept;
}
