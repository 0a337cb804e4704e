import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../kinds/index.ts";
import type { Value } from "../kinds/kind.ts";
import type { Values } from "../rules.ts";
import type { Type } from "../types.ts";

/** Whether a field means the same with either value: 87.5 is 87.50, and the order of members does not matter. */
export function sameValue(field: Field | undefined, one: Value | undefined, other: Value | undefined): boolean {
  if (one === other || (one == null && other == null)) return true;
  if (one == null || other == null) return false;
  const same = field === undefined ? undefined : getKind(field).isSame;
  if (same !== undefined) return same(one, other);
  return typeof one === "object" && typeof other === "object" && isDeepStrictEqual(one, other);
}

/** Old and new values of what changed, by field, references by id, as the audit trail keeps them. */
export function diffValues(type: Type, before: Values | null, after: Values): Record<string, readonly [Value, Value]> {
  const changes: Record<string, readonly [Value, Value]> = {};
  for (const [name, field] of type.fieldEntries) {
    if (
      name === "id" ||
      name === "created_at" ||
      name === "updated_at" ||
      field.internal ||
      field.transient ||
      (field.access === "writeonly" && field.kind !== "references")
    )
      continue;
    const [old, now] = [before?.[name] ?? null, after[name] ?? null];
    if (!sameValue(field, old, now))
      changes[name] =
        field.kind === "string" && field.format === "uri"
          ? [stripCredentials(old), stripCredentials(now)]
          : field.kind === "decimal"
            ? [toNumber(old), toNumber(now)]
            : [old, now];
  }
  return changes;
}

/** An address without the user name and password in it. */
const stripCredentials = (value: Value): Value =>
  typeof value === "string" ? value.replace(/^(\w+:\/\/)[^/?#]*@/, "$1") : value;

const toNumber = (value: Value): Value => (value === null ? null : Number(value));
