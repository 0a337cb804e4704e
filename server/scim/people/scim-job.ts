import type { ScimJobPayload } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";
import { processGroup } from "./process-group.ts";
import { processUser } from "./process-user.ts";
import { processUsers } from "./process-users.ts";

/** Runs the rules of one user or group. */
export const runScimJob = (scim: Scim, payload: ScimJobPayload): Promise<void> =>
  payload.type === "scim_user" ? processUser(scim, payload) : processGroup(scim, payload);

/** Those of several: users together, groups one after another. */
export async function runScimJobs(scim: Scim, payloads: readonly ScimJobPayload[]): Promise<void> {
  for (const payload of payloads) if (payload.type === "scim_group") await processGroup(scim, payload);
  await processUsers(
    scim,
    payloads.filter(({ type }) => type === "scim_user"),
  );
}
