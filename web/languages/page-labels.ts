import { deprecatedChoices } from "../../records/enumerations/deprecated.ts";
import type { EnumerationName, EnumerationValue } from "../../records/enumerations/index.ts";
import { deriveLabel } from "../../records/languages/derive-label.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { isMessage, t } from "./index.ts";
import { finish, labels, nameOf, names, ownLabels, typeLabel } from "./labels.ts";

// Labels that only some pages need: the frame does without them.

/** False for values that records may still have and that people no longer choose. */
export const isOffered = (enumeration: string, value: string): boolean =>
  !(
    Object.hasOwn(deprecatedChoices, enumeration) &&
    deprecatedChoices[enumeration as EnumerationName]?.includes(value) === true
  );

/** The values of an enumeration that people choose from, in their order. */
export const choicesOf = <E extends string>(
  enumeration: E,
): readonly (E extends EnumerationName ? EnumerationValue<E> : string)[] =>
  // The labels name every value of an enumeration and no other.
  Object.keys(labels.choices[enumeration] ?? {}).filter((value) => isOffered(enumeration, value)) as never[];

/** What stands below a record, such as "notes" or "members", by the name of its path and the type of its records. */
export const partLabel = (path: string, type: Pick<RecordType, "name" | "collection"> | undefined): string =>
  finish(
    type !== undefined && (path === type.collection || path === "children")
      ? (nameOf(type.name)?.[1] ?? deriveLabel(path))
      : (Object.hasOwn(labels.fields, path) && labels.fields[path]) || deriveLabel(path),
  );

export const viewLabel = (view: string): string => finish(names.views[view] ?? deriveLabel(view));

/** What records of the type are for, where a list of them is empty. */
export function typePurpose(type: Pick<RecordType, "name">): string | undefined {
  const key = `purpose.${type.name}`;
  return isMessage(key) ? t(key) : undefined;
}

/** A sentence below an input, where the label does not say enough. */
export const fieldHint = (name: string): string | undefined =>
  Object.hasOwn(ownLabels.hints, name) ? finish(ownLabels.hints[name] ?? "") : undefined;

/** The name of a record; "Sprint 4" where its type has none. */
export function nameRecord(type: Pick<RecordType, "name" | "display">, row: Readonly<Record<string, unknown>>): string {
  const name = type.display === "id" ? null : row[type.display];
  return name === undefined || name === null ? `${typeLabel(type)} ${row.id}` : String(name);
}
