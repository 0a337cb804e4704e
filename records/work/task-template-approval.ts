import { id, record, timestamps } from "../vocabulary/index.ts";

export const taskTemplateApproval = record("task_template_approval", {
  collection: "task_template_approvals",
  fields: { id, ...timestamps },
});
