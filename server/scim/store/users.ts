import { toTimestamp } from "../../base/clock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { type Draft, startDraft } from "../change/draft.ts";
import { ScimError } from "../errors.ts";
import { enqueueUsers } from "../jobs.ts";
import { disablePerson } from "../people/disable-person.ts";
import type { Actor, Scim } from "../scim-context.ts";
import { writeAuditLine } from "./audit.ts";
import { buildUserColumns, type Columns, completeUser, diffColumns, userColumnNames } from "./columns.ts";
import { insertUser } from "./insert-users.ts";
import { loadUser } from "./load-user.ts";
import { isUnchanged, lockedUserColumns, parseUser, type Stored } from "./stored.ts";
import { checkVersion, notFound, refuseDuplicates, toSqlValues } from "./write.ts";

// Creating, changing and deleting SCIM users. A change that changes nothing writes nothing.

const names = userColumnNames;
const updateRow = statement(
  `UPDATE scim_users SET version = version + 1, deleted = false, updated_at = $3, document = $4, extra = $5,
  ${names.map((name, at) => `${name} = $${at + 6}`).join(", ")} WHERE account_id = $1 AND id = $2`,
);
const selectUser = `SELECT ${lockedUserColumns} FROM scim_users a WHERE a.account_id = $1 AND a.id = $2`;
const lock = statement(`${selectUser} FOR UPDATE OF a`);
const lockDeleted = statement(
  `SELECT ${lockedUserColumns} FROM scim_users a WHERE a.account_id = $1 AND (lower(a.user_name) = lower($2) OR a.external_id = $3) FOR UPDATE OF a`,
);
const markDeleted = statement(
  `UPDATE scim_users SET version = version + 1, deleted = true, active = false, document = document || '{"active": false}', updated_at = $3
WHERE account_id = $1 AND id = $2`,
);
const leaveGroups = statement(
  `WITH left_groups AS (DELETE FROM scim_group_members WHERE member_id = $2 AND account_id = $1 RETURNING group_id)
UPDATE scim_groups SET members_count = members_count - 1, version = version + 1, updated_at = $3
WHERE account_id = $1 AND id IN (SELECT group_id FROM left_groups) RETURNING id`,
);

export async function findUser(scim: Scim, account: string, id: number): Promise<Stored> {
  const stored = await loadUser(scim, account, id);
  if (stored === null || stored.deleted) throw notFound("user");
  return stored;
}

/** Creates a user. One that was deleted comes back: it keeps its id and its person. */
export async function createUser(scim: Scim, actor: Actor, draft: Draft): Promise<Stored> {
  const columns = buildUserColumns(draft);
  const created = await insertUser(scim, { actor, draft, columns });
  if (created !== null) return created;
  return refuseDuplicates("userName or externalId", () =>
    scim.engine.database.transaction((tx) => revive(scim, tx, actor, draft, columns)),
  );
}

async function revive(scim: Scim, tx: Transaction, actor: Actor, draft: Draft, columns: Columns): Promise<Stored> {
  const { account } = actor;
  const rows = (await tx.query(lockDeleted, [account, ...toSqlValues(columns, ["user_name", "external_id"])])).map(
    parseUser,
  );
  const [stored, ...others] = rows;
  if (stored === undefined || others.length > 0 || !stored.deleted)
    throw new ScimError(409, "uniqueness", "There is a user with that userName or externalId.");
  return saveUser(scim, tx, actor, stored, draft, columns);
}

/** `change` is called with the stored document; it may be called twice, if the user is changed meanwhile. */
export async function changeUser(
  scim: Scim,
  actor: Actor,
  id: number,
  versions: readonly string[] | null,
  change: (draft: Draft) => void,
): Promise<Stored> {
  const { engine } = scim;
  const apply = (stored: Stored) => {
    checkVersion(stored, versions);
    const draft = startDraft(stored);
    change(draft);
    completeUser(draft);
    return draft;
  };
  // Most calls of a repeated synchronization change nothing: they take no lock.
  const seen = await findUser(scim, actor.account, id);
  if (isUnchanged(seen, apply(seen))) return seen;
  return refuseDuplicates("userName or externalId", () =>
    engine.database.transaction(async (tx) => {
      const [row] = await tx.query(lock, [actor.account, id]);
      const stored = row === undefined ? null : parseUser(row);
      if (stored === null || stored.deleted) throw notFound("user");
      const draft = apply(stored);
      return isUnchanged(stored, draft) ? stored : saveUser(scim, tx, actor, stored, draft, buildUserColumns(draft));
    }),
  );
}

async function saveUser(
  scim: Scim,
  tx: Transaction,
  actor: Actor,
  stored: Stored,
  draft: Draft,
  columns: Columns,
): Promise<Stored> {
  const { account } = actor;
  const now = scim.engine.clock.now();
  const updatedAt = toTimestamp(now);
  const before = buildUserColumns(startDraft(stored));
  const values = [JSON.stringify(draft.document), JSON.stringify(draft.unknown), ...toSqlValues(columns, names)];
  await tx.query(updateRow, [account, stored.id, updatedAt, ...values]);
  const changes = {
    ...diffColumns(before, columns),
    ...(stored.deleted ? { deleted: [true, false] as const } : {}),
  };
  writeAuditLine(tx, actor, updatedAt, { type: "scim_user", id: stored.id, action: "update", changes });
  // Rules run a moment later; a deactivated person must not be able to use that moment.
  if (columns.active === false && stored.person !== null) await disablePerson(scim, tx, account, stored.person);
  runRulesOf(scim, tx, account, [stored.id], now);
  const { document, unknown, customFields } = draft;
  return { ...stored, document, unknown, customFields, deleted: false, version: stored.version + 1, updatedAt };
}

/** The record stays, so that the same user can come back; for clients it no longer exists. */
export async function deleteUser(
  scim: Scim,
  actor: Actor,
  id: number,
  versions: readonly string[] | null,
): Promise<void> {
  const { engine } = scim;
  const { account } = actor;
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(lock, [account, id]);
    const stored = row === undefined ? null : parseUser(row);
    if (stored === null || stored.deleted) throw notFound("user");
    checkVersion(stored, versions);
    const now = engine.clock.now();
    const moment = toTimestamp(now);
    tx.send(markDeleted, [account, id, moment]);
    tx.send(leaveGroups, [account, id, moment]);
    const changes = { deleted: [false, true] as const, active: [stored.document.active, false] as const };
    writeAuditLine(tx, actor, moment, { type: "scim_user", id, action: "update", changes });
    if (stored.person !== null) await disablePerson(scim, tx, account, stored.person);
    runRulesOf(scim, tx, account, [id], now);
  });
}

function runRulesOf(scim: Scim, tx: Transaction, account: string, ids: readonly number[], now: Date): void {
  enqueueUsers(tx, account, ids, now);
  tx.afterCommit(() => scim.wake());
}
