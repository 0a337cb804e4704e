import type { request } from "../../../records/work/request.ts";
import { statement } from "../../database/database.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Change } from "../../engine/rules.ts";

type RequestChange = Change<typeof request>;

const needsNoReview = (values: RequestChange["after"]): boolean =>
  values.service_instance === null ||
  values.problem !== null ||
  values.workflow !== null ||
  values.grouping === "grouped" ||
  (values.completion_reason === "solved" && values.impact !== "top");

const selectIsProblemManager = statement(
  "SELECT 1 FROM service_instances i JOIN services s ON s.id = i.service_id WHERE i.id = $1 AND s.problem_manager_id = $2",
);

async function mayReview({ tx, by, account, after }: RequestChange): Promise<boolean> {
  if (isAdministrator(by, account)) return true;
  return (await tx.query(selectIsProblemManager, [after.service_instance, by.person])).length > 0;
}

/** RQ18: a value that was true only because there was nothing to review does not count as reviewed. */
export async function settleReviewed(change: RequestChange): Promise<void> {
  const { before, after, given, participant } = change;
  if (participant !== null) return;
  if (needsNoReview(after)) after.reviewed = true;
  else if (!given.has("reviewed") || !(await mayReview(change)))
    after.reviewed = before?.reviewed === true && !needsNoReview(before);
}
