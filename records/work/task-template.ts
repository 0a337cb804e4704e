import { id, record, timestamps } from "../vocabulary/index.ts";

export const taskTemplate = record("task_template", {
  collection: "task_templates",
  fields: { id, ...timestamps },
});
