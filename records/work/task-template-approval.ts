import { hiddenTimestamps, id, opt, record, ref, req, ro } from "../vocabulary/index.ts";
import { minutes } from "./minutes.ts";

// biome-ignore format: a table keeps its columns
export const taskTemplateApproval = record("task_template_approval", {
  collection: "task_template_approvals",
  ownedBy: ["task_template"],
  fields: {
    id,
    task_template:  ro(ref("task_template"), { internal: true }),
    approver:       req(ref("person")),
    planned_effort: opt(minutes),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "approver", "planned_effort"],
  sort:          "id",
});
