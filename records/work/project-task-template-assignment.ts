import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTaskTemplateAssignment = record("project_task_template_assignment", {
  collection: "project_task_template_assignments",
  fields: { id, ...timestamps },
});
