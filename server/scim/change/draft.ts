import type { Filter } from "../filter/filter.ts";

/** A document of SCIM: attributes by name, those of an extension below its URN. */
export type Members = Record<string, unknown>;

/** What a call does to the members of a group, in order. They are rows of their own: none of these reads the others. */
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

export const startDraft = (stored: { document: Members; unknown: Members; customFields: Members } | null): Draft => ({
  document: structuredClone(stored?.document ?? {}),
  unknown: structuredClone(stored?.unknown ?? {}),
  customFields: structuredClone(stored?.customFields ?? {}),
  memberChanges: [],
});

/** Clients clear an attribute with null, an empty text or an empty list. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
