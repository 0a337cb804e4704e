import { isDeepStrictEqual } from "node:util";
import type { Row } from "../../database/database.ts";
import type { Draft, Members } from "../change/draft.ts";

/** A group of a user, or a member of a group. */
export type Related = { value: string; display: string | null; type: string };

/** A user or a group as it is stored. */
export type Stored = {
  id: number;
  version: number;
  deleted: boolean;
  document: Members;
  /** what no schema knows */
  unknown: Members;
  customFields: Members;
  createdAt: string;
  updatedAt: string;
  /** the person of a user */
  person: number | null;
  /** null: not read */
  related: readonly Related[] | null;
  membersCount: number;
};

const commonColumns = "a.id, a.version, a.document, a.extra, a.created_at, a.updated_at";
// A statement that locks the user compares the account with a value: chosen by the row of the user, the partitions of the
// groups would be chosen while rows are locked, which crashes PostgreSQL 18 (D-684).
const groupsOfUser = (
  account: string,
) => `(SELECT json_agg(json_build_object('value', g.id::text, 'display', g.display_name, 'type', 'direct') ORDER BY g.id)
  FROM scim_group_members m JOIN scim_groups g ON g.id = m.group_id AND g.account_id = ${account} WHERE m.member_id = a.id AND m.account_id = ${account})`;
const membersOfGroup = `(SELECT json_agg(json_build_object('value', m.member_id::text, 'display', coalesce(u.user_name, n.display_name),
    'type', CASE WHEN m.is_group THEN 'Group' ELSE 'User' END) ORDER BY m.member_id)
  FROM scim_group_members m LEFT JOIN scim_users u ON u.id = m.member_id AND u.account_id = m.account_id
  LEFT JOIN scim_groups n ON n.id = m.member_id AND n.account_id = m.account_id AND m.is_group
  WHERE m.group_id = a.id AND m.account_id = a.account_id)`;

const buildUserColumns = (account: string): string =>
  `${commonColumns}, a.deleted, a.custom_fields, a.person_id, ${groupsOfUser(account)}`;
export const userColumns = buildUserColumns("a.account_id");
/** The same where $1 is the account. */
export const lockedUserColumns = buildUserColumns("$1");
export const groupColumns = (withMembers: boolean): string =>
  `${commonColumns}, a.members_count, ${withMembers ? `coalesce(${membersOfGroup}, '[]')` : "NULL"}`;

const parseMembers = (json: string | null | undefined): Members => JSON.parse(json ?? "{}") as Members;
const parseCommon = (row: Row) => ({
  id: Number(row[0]),
  version: Number(row[1]),
  document: parseMembers(row[2]),
  unknown: parseMembers(row[3]),
  createdAt: toMoment(row[4] as string),
  updatedAt: toMoment(row[5] as string),
});

export const parseUser = (row: Row): Stored => ({
  ...parseCommon(row),
  deleted: row[6] === "t",
  customFields: parseMembers(row[7]),
  person: row[8] == null ? null : Number(row[8]),
  related: JSON.parse(row[9] ?? "[]") as Related[],
  membersCount: 0,
});

export const parseGroup = (row: Row): Stored => ({
  ...parseCommon(row),
  deleted: false,
  customFields: {},
  person: null,
  membersCount: Number(row[6]),
  related: row[7] == null ? null : (JSON.parse(row[7]) as Related[]),
});

/** "2025-03-03 08:00:00+00" to "2025-03-03T08:00:00Z". */
const toMoment = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;

/** Whether a change left everything as it was. Members of groups are looked at elsewhere. */
export const isUnchanged = (stored: Stored, draft: Draft): boolean =>
  isDeepStrictEqual(stored.document, draft.document) &&
  isDeepStrictEqual(stored.unknown, draft.unknown) &&
  isDeepStrictEqual(stored.customFields, draft.customFields);
