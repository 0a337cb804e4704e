import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTaskTemplateRelation = record("project_task_template_relation", {
  collection: "project_task_template_relations",
  fields: { id, ...timestamps },
});
