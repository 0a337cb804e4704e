import type { Field } from "../../../records/vocabulary/index.ts";
import { Invalid, type Problem } from "../../base/errors.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import { isBlank, type Value } from "../kinds/kind.ts";
import type { Change } from "../rules.ts";
import { runStateMachine } from "../state-machine.ts";
import type { Type } from "../types.ts";
import { linkAttachments } from "./attachments.ts";
import { checkReferences } from "./check-references.ts";

/** Completes a change to the values that will be stored, or throws all problems found on the way. */
export async function completeAndValidate(
  engine: Engine,
  type: Type,
  change: Change & { readonly problems: Problem[] },
): Promise<void> {
  completeSlugs(type, change);
  completeMergedValues(type, change);
  // A rule may refer to records that the caller cannot see, and to disabled ones.
  const references = change.cause === null ? checkReferences(engine, type, change) : null;
  await Promise.all([references, linkAttachments(engine, type, change)]);
  const rules = engine.rules.forType(type.name);
  await rules.beforeSave?.(change);
  for (const { name, rule } of type.savedFields.derived) {
    const derived = rules.derive?.[rule]?.(change);
    change.after[name] = (derived instanceof Promise ? await derived : derived) ?? null;
  }
  await runStateMachine(type, change, engine.rules);
  checkRequired(type, change, change.problems);
  checkPeriods(type, change, change.problems);
  if (change.problems.length > 0) throw new Invalid(sortProblems(type, change.problems));
}

function completeSlugs(type: Type, { after }: Change): void {
  for (const { name, slugOf } of type.savedFields.slugs) after[name] = slugify(after[slugOf]);
}

/** An update may leave a required value as it is, but not remove it. A field with another problem gets no second one. */
function checkRequired(type: Type, { before, after, changed, cause }: Change, problems: Problem[]): void {
  for (const [name, field] of type.savedFields.required) {
    if (field.requiredFrom === "callers" && cause !== null) continue;
    const value = after[name];
    const isMissing = value == null || (typeof value === "string" && isBlank(value));
    if (isMissing && (before === null || changed.has(name)) && !problems.some(([field]) => field === name))
      problems.push([name, "can't be blank"]);
  }
}

/** C13: a period ends after it starts. Rules may shorten a period to nothing, such as an agreement that ends today. */
function checkPeriods(type: Type, { after, changed }: Change, problems: Problem[]): void {
  for (const { name, field, endOf } of type.periods) {
    const [start, end] = [after[endOf.start], after[name]];
    if (typeof start !== "string" || typeof end !== "string") continue;
    if (!changed.has(name) && !changed.has(endOf.start)) continue;
    if (problems.some(([field]) => field === name)) continue;
    // Dates and local times have one form; moments may have any offset.
    const difference =
      getKind(field).meaning === "moment"
        ? Date.parse(end) - Date.parse(start)
        : end < start
          ? -1
          : Number(end > start);
    if (difference < 0 || (difference === 0 && !endOf.isEmptyAllowed)) problems.push([name, "is not valid"]);
  }
}

/** Problems in the order of the declaration, as a form shows the fields. */
function sortProblems(type: Type, problems: readonly Problem[]): Problem[] {
  const names = Object.keys(type.fields);
  const rank = (name: string) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
  return [...problems].sort((a, b) => rank(a[0]) - rank(b[0]));
}

/** Lower case with underscores for blanks; " - " becomes one underscore. */
export const slugify = (value: Value | undefined): Value =>
  typeof value === "string" ? value.toLowerCase().replaceAll(" - ", "_").replaceAll(" ", "_") : null;

/** A value with members, such as a recurrence, is completed and checked once stored and given members are merged. */
function completeMergedValues(type: Type, change: Change): void {
  for (const name of type.completedFields) {
    const [field, value] = [type.fields[name] as Field, change.after[name]];
    if (value == null || !change.changed.has(name)) continue;
    const completed = getKind(field).complete?.(value, field, change.by.accountRecord.time_zone);
    if (completed === undefined) continue;
    change.after[name] = completed.value;
    for (const { message, values } of completed.problems) change.problem(name, message, values);
  }
}
