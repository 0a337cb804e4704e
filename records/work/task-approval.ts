import {
  alwaysSet,
  byDefault,
  choice,
  hash,
  id,
  indexed,
  opt,
  record,
  ref,
  req,
  ro,
  timestamps,
} from "../vocabulary/index.ts";
import { minutes } from "./minutes.ts";

// biome-ignore format: a table keeps its columns
export const taskApproval = record("task_approval", {
  collection: "task_approvals",
  ownedBy: ["task"],
  fields: {
    id,
    task:           ro(ref("task"), alwaysSet, { internal: true }),
    approver:       req(ref("person"), indexed),
    planned_effort: opt(minutes, "minutes expected from the approver"),
    status:         ro(choice("task_approval.status"), byDefault("registered")),
    attachment:     ro(hash, "the summary generated when the approval was last assigned"),
    ...timestamps,
  },
  defaultFields: ["id", "approver", "planned_effort", "status", "attachment", "created_at", "updated_at"],
  filterable:    ["status"],
  sort:          "id",
});
