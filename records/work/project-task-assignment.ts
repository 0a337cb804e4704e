import {
  alwaysSet,
  byDefault,
  choice,
  datetime,
  hash,
  id,
  indexed,
  opt,
  record,
  ref,
  req,
  ro,
  stateMachine,
  timeReaches,
  timestamps,
} from "../vocabulary/index.ts";
import { minutes } from "./minutes.ts";

const assignmentStates = stateMachine({
  states: [
    "registered",
    "assigned",
    "accepted",
    "in_progress",
    "waiting_for",
    "failed",
    "rejected",
    "completed",
    "approved",
    "canceled",
  ],
  initial: "registered",
  unlisted: "allowed",
  moves: [{ from: "waiting_for", on: timeReaches("waiting_until"), to: "assigned" }],
});

// biome-ignore format: a table keeps its columns
export const projectTaskAssignment = record("project_task_assignment", {
  collection: "project_task_assignments",
  ownedBy: ["project_task"],
  fields: {
    id,
    project_task:   ro(ref("project_task"), alwaysSet, { internal: true }),
    assignee:       req(ref("person"), indexed),
    planned_effort: opt(minutes),
    status:         ro(choice("project_task.status"), byDefault("registered")),
    waiting_until:  opt(datetime, "only with status waiting_for"),
    attachment:     ro(hash, "summary; only for category approval"),
    ...timestamps,
  },
  defaultFields: ["id", "assignee", "planned_effort", "status", "waiting_until", "attachment", "created_at", "updated_at"],
  sort:          "id",
  states:     assignmentStates,
});
