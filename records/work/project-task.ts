import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTask = record("project_task", {
  collection: "project_tasks",
  fields: { id, ...timestamps },
});
