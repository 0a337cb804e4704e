import type { Transaction } from "../database/database.ts";
import { addJob, addJobs } from "../queue/jobs.ts";

// The rules of a user or a group run in a job, after the call that changed it.

export const scimJob = "scim";
export type ScimType = "scim_user" | "scim_group";
/** `members`: users who joined or left the group: their rules run after those of the group */
export type ScimJobPayload = { account: string; type: ScimType; id: number; members?: readonly number[] };

/** Several changes of a user before its rules run are one run. */
export const enqueueUsers = (tx: Transaction, account: string, ids: readonly number[], now: Date): void =>
  addJobs(tx, {
    kind: scimJob,
    account,
    runAt: now,
    jobs: ids.map((id) => ({
      key: `user ${id}`,
      payload: { account, type: "scim_user", id } satisfies ScimJobPayload,
    })),
  });

/** Every change of a group has a job of its own, which knows who joined and left. */
export const enqueueGroup = (
  tx: Transaction,
  account: string,
  id: number,
  members: readonly number[],
  now: Date,
): void => {
  const payload: ScimJobPayload = { account, type: "scim_group", id, members };
  addJob(tx, { kind: scimJob, about: `group ${id}`, account, payload, runAt: now });
};
