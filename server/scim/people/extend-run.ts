import type { ExtendRun } from "../../automation/editor/dry-run.ts";
import { extendGroupRun } from "./process-group.ts";
import { extendUserRun } from "./process-user.ts";

/** Rules about SCIM users and groups are tried with what they have when they run. */
export const extendScimRun: ExtendRun = async (tx, { account, type, id }) =>
  type === "scim_user"
    ? extendUserRun(tx, account, id)
    : type === "scim_group"
      ? extendGroupRun(tx, account, id)
      : null;
