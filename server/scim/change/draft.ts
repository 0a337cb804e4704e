import type { Filter } from "../filter/filter.ts";

/** A document of SCIM: attributes by name, those of an extension below its URN. */
export type Members = Record<string, unknown>;

/** The changes of a call to the members of a group, in order. They are separate rows: none of these reads the others. */
export type MemberChange =
  | { kind: "add" | "remove" | "replace"; ids: readonly string[] }
  | { kind: "remove matching"; filter: Filter };

/** A resource while a call changes it. */
export type Draft = {
  document: Members;
  /** what the schemas do not know: kept, never shown */
  unknown: Members;
  customFields: Members;
  memberChanges: MemberChange[];
};

/** A copy of JSON. */
function cloneJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cloneJson) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cloneJson(member)])) as T;
}

export const startDraft = (stored: { document: Members; unknown: Members; customFields: Members } | null): Draft => ({
  document: cloneJson(stored?.document ?? {}),
  unknown: cloneJson(stored?.unknown ?? {}),
  customFields: cloneJson(stored?.customFields ?? {}),
  memberChanges: [],
});

/** Clients clear an attribute with null, an empty text or an empty list. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
