import { isDeepStrictEqual } from "node:util";
import type { Draft, Members } from "../change/draft.ts";
import { invalidValue } from "../errors.ts";
import { isObject } from "../filter/match-filter.ts";
import { enterpriseSchema } from "../schema/user.ts";

// The columns that follow from a document: what rules and administrators read, and what is unique.

export type Columns = Readonly<Record<string, unknown>>;

/** Longer values do not fit into the indexes that find them. */
const maxKeyLength = 512;
const maxUnknownLength = 65_536;

/** The columns of a user that follow from its document. */
export const userColumnNames = [
  ...["user_name", "external_id", "active", "display_name", "name", "emails", "phone_numbers", "addresses", "title"],
  ...["user_type", "locale", "timezone", "enterprise", "custom_fields"],
];

/** A user is active unless a client says otherwise. */
export function completeUser({ document }: Draft): void {
  document.active ??= true;
}

export function buildUserColumns(draft: Draft): Columns {
  const { document, customFields, unknown } = draft;
  completeUser(draft);
  requireText(document, "userName");
  checkKey(document, "externalId");
  checkUnknown({ customFields, unknown });
  return {
    user_name: document.userName,
    external_id: document.externalId ?? null,
    active: document.active,
    display_name: document.displayName ?? null,
    name: renameMembers(document.name),
    emails: renameMembers(document.emails),
    phone_numbers: renameMembers(document.phoneNumbers),
    addresses: renameMembers(document.addresses),
    title: document.title ?? null,
    user_type: document.userType ?? null,
    locale: document.locale ?? null,
    timezone: document.timezone ?? null,
    enterprise: renameMembers(document[enterpriseSchema.urn]),
    custom_fields: Object.keys(customFields).length === 0 ? null : customFields,
  };
}

export function buildGroupColumns({ document, unknown }: Draft): Columns {
  requireText(document, "displayName");
  checkKey(document, "externalId");
  checkUnknown({ unknown });
  return {
    external_id: document.externalId ?? null,
    display_name: document.displayName,
    group_type: document.groupType ?? null,
  };
}

function requireText(document: Members, name: string): void {
  const value = document[name];
  if (typeof value !== "string" || value.trim() === "") throw invalidValue(`"${name}" is required.`);
  checkKey(document, name);
}

function checkKey(document: Members, name: string): void {
  const value = document[name];
  if (typeof value === "string" && value.length > maxKeyLength)
    throw invalidValue(`"${name}" cannot be longer than ${maxKeyLength} characters.`);
}

function checkUnknown(parts: Members): void {
  if (JSON.stringify(parts).length > maxUnknownLength)
    throw invalidValue("The attributes that no schema knows are too long.");
}

/** Rules name attributes in lower case with underscores: givenName is given_name. */
function renameMembers(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(renameMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toRuleName(name), renameMembers(member)]));
}

const toRuleName = (name: string): string =>
  name
    .replace(/^\$/, "")
    .replace(/[A-Z]+/g, (capitals) => `_${capitals}`)
    .toLowerCase();

/** For the audit trail: the columns that differ, with both values. */
export const diffColumns = (before: Columns | null, after: Columns): Record<string, [unknown, unknown]> =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => !isDeepStrictEqual(before?.[name] ?? null, after[name] ?? null))
      .map((name) => [name, [before?.[name] ?? null, after[name] ?? null] as [unknown, unknown]]),
  );
