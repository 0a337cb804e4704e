import { statement, type Transaction } from "../../database/database.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MemberChange } from "../change/draft.ts";
import { invalidValue } from "../errors.ts";
import { filterToSql, type StoredApart } from "../filter/filter-to-sql.ts";

// The members of groups. None of these reads the members that stay.

type Group = { account: string; id: number };
/** Users who joined and left; a user who did both did neither. */
export type MemberDifference = { joined: ReadonlySet<number>; left: ReadonlySet<number> };

const selectKnown = statement(
  `SELECT u.id, false FROM scim_users u WHERE u.account_id = $1 AND u.id = ANY($2::integer[]) AND NOT u.deleted
UNION ALL SELECT g.id, true FROM scim_groups g WHERE g.account_id = $1 AND g.id = ANY($2::integer[])`,
);
const insert = statement(
  `INSERT INTO scim_group_members (account_id, group_id, member_id, is_group)
SELECT $1, $2, id, is_group FROM unnest($3::integer[], $4::boolean[]) AS given (id, is_group) ON CONFLICT DO NOTHING RETURNING member_id, is_group`,
);
const remove = statement(
  "DELETE FROM scim_group_members WHERE account_id = $1 AND group_id = $2 AND member_id = ANY($3::integer[]) RETURNING member_id, is_group",
);
const removeOthers = statement(
  "DELETE FROM scim_group_members WHERE account_id = $1 AND group_id = $2 AND member_id <> ALL($3::integer[]) RETURNING member_id, is_group",
);

export async function applyMemberChanges(
  engine: Engine,
  tx: Transaction,
  group: Group,
  changes: readonly MemberChange[],
): Promise<MemberDifference> {
  const joined = new Set<number>();
  const left = new Set<number>();
  const note = (rows: readonly (readonly (string | null)[])[], here: Set<number>, there: Set<number>) => {
    for (const [id] of rows) if (!there.delete(Number(id))) here.add(Number(id));
  };
  for (const change of changes) {
    if (change.kind === "remove matching") note(await removeMatching(engine, tx, group, change.filter), left, joined);
    else if (change.kind === "remove")
      note(await tx.query(remove, [group.account, group.id, toIds(change.ids)]), left, joined);
    else {
      const known = await findMembers(tx, group, change.ids);
      const ids = known.map(([id]) => id);
      if (change.kind === "replace") note(await tx.query(removeOthers, [group.account, group.id, ids]), left, joined);
      const isGroup = known.map(([, each]) => each);
      note(await tx.query(insert, [group.account, group.id, ids, isGroup as never]), joined, left);
    }
  }
  return { joined, left };
}

const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);
const toIds = (ids: readonly string[]): number[] => ids.filter(isId).map(Number);

/** The members that a call adds; 400 when one of them does not exist. */
async function findMembers(tx: Transaction, group: Group, given: readonly string[]): Promise<[number, boolean][]> {
  const wanted = [...new Set(given)];
  if (wanted.length === 0) return [];
  const rows = await tx.query(selectKnown, [group.account, toIds(wanted)]);
  const known = new Map(rows.map(([id, isGroup]) => [Number(id), isGroup === "t"]));
  const missing = wanted.find((id) => !known.has(Number(id)) || Number(id) === group.id);
  if (missing !== undefined) throw invalidValue(`There is no user with the id "${missing.slice(0, 100)}".`);
  return [...known];
}

/** A row of the table `m`, with the user `u` or the group `n` that it names, as SCIM shows a member. */
export const memberValues: StoredApart = {
  values: {
    value: () => "m.member_id::text",
    display: () => "coalesce(u.user_name, n.display_name)",
    type: () => "CASE WHEN m.is_group THEN 'Group' ELSE 'User' END",
  },
  lists: {},
};
export const memberTables =
  "scim_group_members m LEFT JOIN scim_users u ON u.id = m.member_id AND u.account_id = m.account_id LEFT JOIN scim_groups n ON n.id = m.member_id AND n.account_id = m.account_id AND m.is_group";

function removeMatching(
  engine: Engine,
  tx: Transaction,
  { account, id }: Group,
  filter: Extract<MemberChange, { kind: "remove matching" }>["filter"],
) {
  const query = engine.statements.prepare(
    "remove members of a SCIM group",
    {
      group: {
        key: "group",
        sql: (_alias, next) => `m.account_id = ${next()} AND m.group_id = ${next()}`,
        values: [account, id],
      },
      where: filterToSql(filter, memberValues),
    },
    ({ group, where }) =>
      `DELETE FROM scim_group_members WHERE (account_id, group_id, member_id) IN (SELECT m.account_id, m.group_id, m.member_id FROM ${memberTables} WHERE ${group} AND ${where}) RETURNING member_id, is_group`,
  );
  return tx.query(query.statement, query.values);
}
