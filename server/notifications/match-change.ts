import type { FieldTest } from "../../records/vocabulary/conditions.ts";
import type { Notification, NotificationEvent } from "../../records/vocabulary/notifications.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { ExtraEvent } from "../engine/rules.ts";
import { sameValue } from "../engine/write/compare.ts";

// Decides whether a change matches the definition of a notification.

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

export function matchesTests(tests: Tests | undefined, values: FieldValues): boolean {
  for (const name in tests) if (!passesTest(values[name], tests[name] as FieldTest)) return false;
  return true;
}

export function hasFieldChanged({ type, action, before, after }: ChangeEvent, field: string): boolean {
  return action !== "destroy" && !sameValue(type.fields[field], before?.[field], after?.[field]);
}

function matchesOccasion(occasion: NotificationEvent, event: ChangeEvent): boolean {
  if (occasion.on === "created") return event.action === "create";
  if (occasion.on === "deleted") return event.action === "destroy";
  if (occasion.on === "changed") return occasion.fields.some((field) => hasFieldChanged(event, field));
  if (occasion.on !== "became") return false;
  return hasFieldChanged(event, occasion.field) && occasion.is.includes(event.after?.[occasion.field] as string);
}

const noMatches: readonly (ExtraEvent | null)[] = [];

/** One entry per match: the extra event that matches, or null for the change itself. */
export function findOccurrences(row: Notification, event: ChangeEvent): readonly (ExtraEvent | null)[] {
  const values = event.after ?? event.before ?? {};
  const matches: (ExtraEvent | null)[] = [];
  for (const occasion of row.when) {
    if (occasion.on === "happened") {
      for (const extraEvent of event.extraEvents ?? [])
        if (extraEvent.event === occasion.what && matchesTests(row.if, { ...values, ...extraEvent.listenerFacts }))
          matches.push(extraEvent);
    } else if (matches.length === 0 && matchesOccasion(occasion, event) && matchesTests(row.if, values))
      matches.push(null);
  }
  return matches.length > 0 && matchesTests(row.ifBefore, event.before ?? {}) ? matches : noMatches;
}
