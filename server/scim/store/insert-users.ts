import { toTimestamp } from "../../base/clock.ts";
import { Unavailable } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Draft } from "../change/draft.ts";
import { enqueueUsers } from "../jobs.ts";
import type { Actor, Scim } from "../scim-context.ts";
import { writeAuditLines } from "./audit.ts";
import { type Columns, diffColumns, userColumnNames } from "./columns.ts";
import type { Stored } from "./stored.ts";

// New users. Identity providers push many at a time: those that arrive during a transaction are written by the
// next one, together, so that they share its statements and wait for the same commit. Every call gets its response after the
// commit of its user.

export type NewUser = { actor: Actor; draft: Draft; columns: Columns };

const maxTogether = 100;

const types: Readonly<Record<string, string>> = {
  ...{ active: "boolean", name: "jsonb", emails: "jsonb", phone_numbers: "jsonb", addresses: "jsonb" },
  ...{ enterprise: "jsonb", custom_fields: "jsonb" },
};
const givenColumns = userColumnNames.map((name) => `${name} ${types[name] ?? "text"}`).join(", ");
const names = userColumnNames.join(", ");
/** The ids are taken first, to distinguish rows that were not inserted because another row has their key. */
const insert = statement(
  `WITH given AS (SELECT nextval('scim_users_id_seq')::integer AS id, r.*
  FROM json_to_recordset($1::json) AS r (nr integer, account_id text, document jsonb, extra jsonb, ${givenColumns})),
made AS (INSERT INTO scim_users (id, account_id, created_at, updated_at, document, extra, deleted, failed, version, ${names})
  SELECT id, account_id, $2, $2, document, extra, false, false, 1, ${names} FROM given ON CONFLICT DO NOTHING RETURNING id)
SELECT given.nr, given.id FROM given JOIN made ON made.id = given.id`,
);

type Waiting = { user: NewUser; resolve(stored: Stored | null): void; reject(error: unknown): void };
type Queue = { waiting: Waiting[]; isRunning: boolean };
const queues = new WeakMap<Scim, Queue>();

/** Null: there is a user with that userName or externalId, maybe a deleted one. */
export function insertUser(scim: Scim, user: NewUser): Promise<Stored | null> {
  const queue = queues.get(scim) ?? { waiting: [], isRunning: false };
  queues.set(scim, queue);
  return new Promise((resolve, reject) => {
    queue.waiting.push({ user, resolve, reject });
    if (!queue.isRunning) void runQueue(scim, queue);
  });
}

async function runQueue(scim: Scim, queue: Queue): Promise<void> {
  queue.isRunning = true;
  while (queue.waiting.length > 0) {
    const some = queue.waiting.splice(0, maxTogether);
    await insertAndSettle(scim, some);
  }
  queue.isRunning = false;
}

/** A failure that is the fault of one of them must not fail the others: they are repeated one by one. */
async function insertAndSettle(scim: Scim, some: readonly Waiting[]): Promise<void> {
  try {
    const stored = await insertTogether(
      scim,
      some.map(({ user }) => user),
    );
    for (const [at, { resolve }] of some.entries()) resolve(stored[at] ?? null);
  } catch (error) {
    if (some.length > 1 && !(error instanceof Unavailable))
      for (const each of some) await insertAndSettle(scim, [each]);
    else for (const { reject } of some) reject(error);
  }
}

function insertTogether(scim: Scim, users: readonly NewUser[]): Promise<(Stored | null)[]> {
  const { database, clock } = scim.engine;
  return database.transaction(async (tx) => {
    const now = clock.now();
    const moment = toTimestamp(now);
    const given = users.map(({ actor, draft, columns }, nr) => ({
      ...{ nr, account_id: actor.account, document: draft.document, extra: draft.unknown },
      ...columns,
    }));
    const rows = await tx.query(insert, [JSON.stringify(given), moment]);
    const ids = new Map(rows.map(([nr, id]) => [Number(nr), Number(id)]));
    recordUsers(scim, tx, now, users, ids);
    return users.map((user, nr) => {
      const id = ids.get(nr);
      return id === undefined ? null : buildStored(user, id, moment);
    });
  });
}

/** The side effects of new users: a line in the audit trail, and the run of their rules. */
function recordUsers(
  scim: Scim,
  tx: Transaction,
  now: Date,
  users: readonly NewUser[],
  ids: ReadonlyMap<number, number>,
): void {
  const made = [...ids].map(([nr, id]) => ({ ...(users[nr] as NewUser), id }));
  if (made.length === 0) return;
  writeAuditLines(
    tx,
    toTimestamp(now),
    made.map(({ actor, id, columns }) => ({
      actor,
      line: { type: "scim_user", id, action: "create", changes: diffColumns(null, columns) },
    })),
  );
  for (const [account, some] of Map.groupBy(made, ({ actor }) => actor.account))
    enqueueUsers(
      tx,
      account,
      some.map(({ id }) => id),
      now,
    );
  tx.afterCommit(() => scim.wake());
}

const buildStored = ({ draft }: NewUser, id: number, moment: string): Stored => ({
  ...{ id, version: 1, deleted: false, document: draft.document, unknown: draft.unknown },
  ...{ customFields: draft.customFields, createdAt: moment, updatedAt: moment, person: null, related: [] },
  membersCount: 0,
});
