import { toTimestamp } from "../../base/clock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { type Draft, startDraft } from "../change/draft.ts";
import { enqueueGroup, enqueueUsers } from "../jobs.ts";
import type { Actor, Scim } from "../scim-context.ts";
import { writeAuditLine } from "./audit.ts";
import { buildGroupColumns, diffColumns } from "./columns.ts";
import { applyMemberChanges, type MemberDifference } from "./members.ts";
import { groupColumns, isUnchanged, parseGroup, type Stored } from "./stored.ts";
import { checkVersion, notFound, refuseDuplicates, toSqlValues } from "./write.ts";

// Creating, changing and deleting SCIM groups.

const names = ["external_id", "display_name", "group_type"];
const insert = statement(
  `INSERT INTO scim_groups (account_id, created_at, updated_at, document, extra, members_count, version, classification, ${names.join(", ")})
VALUES ($1, $2, $2, $3, $4, 0, 1, 'unclassified', $5, $6, $7) RETURNING id`,
);
const updateRow = statement(
  `UPDATE scim_groups SET version = version + 1, updated_at = $3, document = $4, extra = $5, members_count = members_count + $6,
  ${names.map((name, at) => `${name} = $${at + 7}`).join(", ")} WHERE account_id = $1 AND id = $2`,
);
const updateCount = statement("UPDATE scim_groups SET members_count = $3 WHERE account_id = $1 AND id = $2");
const select = [false, true].map((withMembers) =>
  statement(`SELECT ${groupColumns(withMembers)} FROM scim_groups a WHERE a.account_id = $1 AND a.id = $2`),
);
const lock = statement(
  `SELECT ${groupColumns(false)} FROM scim_groups a WHERE a.account_id = $1 AND a.id = $2 FOR UPDATE`,
);
const erase = statement("DELETE FROM scim_groups WHERE account_id = $1 AND id = $2");
const eraseMembers = statement(
  "DELETE FROM scim_group_members WHERE account_id = $1 AND group_id = $2 RETURNING member_id, is_group",
);
const leaveParents = statement(
  `WITH left_groups AS (DELETE FROM scim_group_members WHERE account_id = $1 AND member_id = $2 AND is_group RETURNING group_id)
UPDATE scim_groups SET members_count = members_count - 1, version = version + 1, updated_at = $3 WHERE account_id = $1 AND id IN (SELECT group_id FROM left_groups)`,
);

/** The audit trail names so many members of one change. */
const maxNamedMembers = 100;

export async function findGroup({ engine }: Scim, account: string, id: number, withMembers: boolean): Promise<Stored> {
  const [row] = await engine.database.read(select[withMembers ? 1 : 0] as never, [account, id]);
  if (row === undefined) throw notFound("group");
  return parseGroup(row);
}

export function createGroup(scim: Scim, actor: Actor, draft: Draft): Promise<Stored> {
  const { engine } = scim;
  const { account } = actor;
  const columns = buildGroupColumns(draft);
  return refuseDuplicates("displayName or externalId", () =>
    engine.database.transaction(async (tx) => {
      const now = engine.clock.now();
      const moment = toTimestamp(now);
      const documents = [JSON.stringify(draft.document), JSON.stringify(draft.unknown)];
      const [row] = await tx.query(insert, [account, moment, ...documents, ...toSqlValues(columns, names)]);
      const id = Number(row?.[0]);
      const difference = await applyMemberChanges(engine, tx, { account, id }, draft.memberChanges);
      const membersCount = difference.joined.size;
      if (membersCount > 0) tx.send(updateCount, [account, id, membersCount]);
      const changes = { ...diffColumns(null, columns), ...describeMembers(difference) };
      writeAuditLine(tx, actor, moment, { type: "scim_group", id, action: "create", changes });
      runRulesOf(scim, tx, account, id, difference, now);
      return {
        ...{ id, version: 1, deleted: false, document: draft.document, unknown: draft.unknown, customFields: {} },
        ...{ createdAt: moment, updatedAt: moment, person: null, related: null, membersCount },
      };
    }),
  );
}

/** `change` is called with the stored document; it may be called twice, if the group is changed meanwhile. */
export async function changeGroup(
  scim: Scim,
  actor: Actor,
  id: number,
  versions: readonly string[] | null,
  change: (draft: Draft) => void,
): Promise<Stored> {
  const { engine } = scim;
  const { account } = actor;
  const apply = (stored: Stored) => {
    checkVersion(stored, versions);
    const draft = startDraft(stored);
    change(draft);
    return { draft, columns: buildGroupColumns(draft) };
  };
  const seen = await findGroup(scim, account, id, false);
  const first = apply(seen).draft;
  if (first.memberChanges.length === 0 && isUnchanged(seen, first)) return seen;
  return refuseDuplicates("displayName or externalId", () =>
    engine.database.transaction(async (tx) => {
      const [row] = await tx.query(lock, [account, id]);
      if (row === undefined) throw notFound("group");
      const stored = parseGroup(row);
      const { draft, columns } = apply(stored);
      const difference = await applyMemberChanges(engine, tx, { account, id }, draft.memberChanges);
      if (difference.joined.size + difference.left.size === 0 && isUnchanged(stored, draft)) return stored;
      const now = engine.clock.now();
      const updatedAt = toTimestamp(now);
      const more = difference.joined.size - difference.left.size;
      const documents = [JSON.stringify(draft.document), JSON.stringify(draft.unknown)];
      await tx.query(updateRow, [account, id, updatedAt, ...documents, more, ...toSqlValues(columns, names)]);
      const before = buildGroupColumns(startDraft(stored));
      const changes = { ...diffColumns(before, columns), ...describeMembers(difference) };
      writeAuditLine(tx, actor, updatedAt, { type: "scim_group", id, action: "update", changes });
      runRulesOf(scim, tx, account, id, difference, now);
      const { document, unknown } = draft;
      const membersCount = stored.membersCount + more;
      return { ...stored, document, unknown, membersCount, version: stored.version + 1, updatedAt };
    }),
  );
}

/** The group's organization or site stays: it is never deleted with the group. */
export async function deleteGroup(
  scim: Scim,
  actor: Actor,
  id: number,
  versions: readonly string[] | null,
): Promise<void> {
  const { engine } = scim;
  const { account } = actor;
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(lock, [account, id]);
    if (row === undefined) throw notFound("group");
    const stored = parseGroup(row);
    checkVersion(stored, versions);
    const now = engine.clock.now();
    const members = await tx.query(eraseMembers, [account, id]);
    tx.send(leaveParents, [account, id, toTimestamp(now)]);
    tx.send(erase, [account, id]);
    const columns = buildGroupColumns(startDraft(stored));
    const changes = Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, [value, null] as const]));
    writeAuditLine(tx, actor, toTimestamp(now), { type: "scim_group", id, action: "destroy", changes });
    const users = members.filter(([, isGroup]) => isGroup !== "t").map(([user]) => Number(user));
    enqueueUsers(tx, account, users, now);
    tx.afterCommit(() => scim.wake());
  });
}

function describeMembers({ joined, left }: MemberDifference): Record<string, [unknown, unknown]> {
  if (joined.size + left.size === 0) return {};
  return { members: [[...left].slice(0, maxNamedMembers), [...joined].slice(0, maxNamedMembers)] };
}

function runRulesOf(
  scim: Scim,
  tx: Transaction,
  account: string,
  id: number,
  { joined, left }: MemberDifference,
  now: Date,
): void {
  enqueueGroup(tx, account, id, [...joined, ...left], now);
  tx.afterCommit(() => scim.wake());
}
