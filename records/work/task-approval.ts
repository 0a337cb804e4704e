import { id, record, timestamps } from "../vocabulary/index.ts";

export const taskApproval = record("task_approval", {
  collection: "task_approvals",
  fields: { id, ...timestamps },
});
