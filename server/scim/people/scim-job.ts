import type { Scim } from "../context.ts";
import type { ScimJobPayload } from "../jobs.ts";
import { processGroup } from "./process-group.ts";
import { processUser } from "./process-user.ts";

/** Runs the rules of one user or group. */
export const runScimJob = (scim: Scim, payload: ScimJobPayload): Promise<void> =>
  payload.type === "scim_user" ? processUser(scim, payload) : processGroup(scim, payload);
