import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTaskTemplate = record("project_task_template", {
  collection: "project_task_templates",
  fields: { id, ...timestamps },
});
