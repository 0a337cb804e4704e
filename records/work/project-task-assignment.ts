import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTaskAssignment = record("project_task_assignment", {
  collection: "project_task_assignments",
  fields: { id, ...timestamps },
});
