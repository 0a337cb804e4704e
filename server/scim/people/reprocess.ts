import type { Clock } from "../../base/clock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import { addJob } from "../../queue/jobs.ts";
import { enqueueGroup, enqueueUsers, type ScimType } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";
import { installDefaultRules } from "./default-rules.ts";

// When a rule changes, it runs for all users again.

export const reprocessJob = "scim reprocess";
type ReprocessPayload = { account: string; type: ScimType };

const types: readonly string[] = ["scim_user", "scim_group"] satisfies ScimType[];

/** Plans a run for all users or groups in the transaction that changes one of their rules. */
export const reprocessOnRuleChange =
  (clock: Clock) =>
  (tx: Transaction, _by: Caller | null, { type, account, before, after }: ChangeEvent): void => {
    if (type.name !== "automation_rule") return;
    const concerned = new Set([before?.generic, after?.generic]);
    for (const each of types)
      if (concerned.has(each)) planReprocess(tx, { account, type: each as ScimType }, clock.now());
  };

export const planReprocess = (tx: Transaction, payload: ReprocessPayload, now: Date): void =>
  addJob(tx, {
    kind: reprocessJob,
    key: `${payload.account} ${payload.type}`,
    account: payload.account,
    payload,
    runAt: now,
  });

const selectToken = statement("SELECT 1 FROM scim_tokens WHERE account_id = $1 LIMIT 1");
const sliceSize = 1000;
const selectSlices = Object.fromEntries(
  ["scim_users", "scim_groups"].map((table) => [
    table,
    statement(`SELECT id FROM ${table} WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT ${sliceSize}`),
  ]),
);

/** An account whose last rule was deleted gets the default ones back. */
export async function runReprocess(scim: Scim, { account, type }: ReprocessPayload): Promise<void> {
  const { database, clock } = scim.engine;
  await database.transaction(async (tx) => {
    if ((await tx.query(selectToken, [account])).length > 0)
      await installDefaultRules(scim.engine, tx, account, [type]);
  });
  const select = selectSlices[type === "scim_user" ? "scim_users" : "scim_groups"] as ReturnType<typeof statement>;
  for (let after = 0, isLast = false; !isLast; )
    await database.transaction(async (tx) => {
      const ids = (await tx.query(select, [account, after])).map(([id]) => Number(id));
      const now = clock.now();
      if (type === "scim_user") enqueueUsers(tx, account, ids, now);
      else for (const id of ids) enqueueGroup(tx, account, id, [], now);
      tx.afterCommit(() => scim.wake());
      after = ids.at(-1) ?? after;
      isLast = ids.length < sliceSize;
    });
}
