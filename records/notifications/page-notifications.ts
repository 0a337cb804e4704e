import type { PageNotificationKind } from "./kinds.ts";
import { notifications } from "./table.ts";

// The notifications that also appear in the page, and their kind. Emails that only confirm something don't appear there.

const kindByEvent: Readonly<Record<string, PageNotificationKind>> = {
  new_mention: "mention",
  member_assignment: "assignment",
  team_assignment: "team",
  manager_changed: "assignment",
  assignment: "assignment",
  approver_assignment: "approval",
  new_note: "answer",
  waiting_for_customer: "answer",
  completed: "answer",
  upcoming_asla_response_target: "target",
  upcoming_asla_resolution_target: "target",
  item_updated: "watched",
  progress_halted: "halted",
};

/** By trigger, such as "request/new_mention". */
export const pageNotificationKinds: Readonly<Record<string, PageNotificationKind | undefined>> = Object.fromEntries(
  notifications.map(({ trigger }) => [trigger, kindByEvent[trigger.split("/")[1] as string]]),
);
