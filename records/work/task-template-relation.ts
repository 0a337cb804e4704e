import { id, record, timestamps } from "../vocabulary/index.ts";

export const taskTemplateRelation = record("task_template_relation", {
  collection: "task_template_relations",
  fields: { id, ...timestamps },
});
