import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../kinds/index.ts";
import type { Value } from "../kinds/kind.ts";
import type { Values } from "../rules.ts";
import type { Type } from "../types.ts";

/** Whether two values of a field mean the same: 87.5 is 87.50, and the order of members does not matter. */
export function sameValue(field: Field | undefined, a: Value | undefined, b: Value | undefined): boolean {
  if (a === b || (a == null && b == null)) return true;
  if (a == null || b == null) return false;
  const isSame = field === undefined ? undefined : getKind(field).isSame;
  if (isSame !== undefined) return isSame(a, b);
  return typeof a === "object" && typeof b === "object" && isDeepStrictEqual(a, b);
}

/** Old and new values of the changed fields, as the audit trail stores them; references are ids. */
export function diffValues(type: Type, before: Values | null, after: Values): Record<string, readonly [Value, Value]> {
  const changes: Record<string, readonly [Value, Value]> = {};
  for (const [name, field] of type.savedFields.audited) {
    const now = after[name] ?? null;
    const old = before === null ? null : (before[name] ?? null);
    if (old === now || sameValue(field, old, now)) continue;
    const { toAudit } = getKind(field);
    changes[name] = toAudit === undefined ? [old, now] : [toAudit(old, field), toAudit(now, field)];
  }
  return changes;
}
