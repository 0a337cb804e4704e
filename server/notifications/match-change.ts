import type { FieldTest } from "../../records/vocabulary/conditions.ts";
import type { Notification, NotificationEvent } from "../../records/vocabulary/notifications.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { ExtraEvent } from "../engine/rules.ts";
import { sameValue } from "../engine/write/compare.ts";

// Whether what happened to a record is what a row of the table waits for.

type FieldValues = Readonly<Record<string, unknown>>;
type Tests = Readonly<Record<string, FieldTest>>;

function passesTest(value: unknown, test: FieldTest): boolean {
  if (test === null) return value == null;
  if (test === "present") return value != null;
  if (typeof test === "boolean") return (value ?? false) === test;
  if (typeof test !== "object") return value === test;
  if ("not" in test) return !test.not.includes(value as string);
  return "oneOf" in test && test.oneOf.includes(value as string);
}

export const matchesTests = (tests: Tests | undefined, values: FieldValues): boolean =>
  tests === undefined || Object.entries(tests).every(([name, test]) => passesTest(values[name], test));

export function hasFieldChanged({ type, action, before, after }: ChangeEvent, field: string): boolean {
  return action !== "destroy" && !sameValue(type.fields[field], before?.[field], after?.[field]);
}

function matchesOccasion(occasion: NotificationEvent, told: ChangeEvent): boolean {
  if (occasion.on === "created") return told.action === "create";
  if (occasion.on === "deleted") return told.action === "destroy";
  if (occasion.on === "changed") return occasion.fields.some((field) => hasFieldChanged(told, field));
  if (occasion.on !== "became") return false;
  return hasFieldChanged(told, occasion.field) && occasion.is.includes(told.after?.[occasion.field] as string);
}

/** The facts of each thing that happened as the row has it: none when it did not. */
export function findOccurrences(row: Notification, told: ChangeEvent): (ExtraEvent | null)[] {
  if (!matchesTests(row.ifBefore, told.before ?? {})) return [];
  const values = told.after ?? told.before ?? {};
  const found: (ExtraEvent | null)[] = [];
  for (const occasion of row.when) {
    if (occasion.on === "happened") {
      for (const each of told.extraEvents ?? [])
        if (each.event === occasion.what && matchesTests(row.if, { ...values, ...each.listenerFacts }))
          found.push(each);
    } else if (found.length === 0 && matchesOccasion(occasion, told) && matchesTests(row.if, values)) found.push(null);
  }
  return found;
}
