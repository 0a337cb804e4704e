import { alwaysSet, id, opt, plainIds, record, ref, req, ro, string, timestamps } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const taskTemplateRelation = record("task_template_relation", {
  collection: "task_template_relations",
  ownedBy: ["workflow_template"],
  fields: {
    id,
    workflow_template:     ro(ref("workflow_template"), alwaysSet, { internal: true }),
    task_template:         req(ref("task_template")),
    phase_name:            opt(string(50), "name of a phase of the workflow template"),
    failure_task_template: opt(ref("task_template"), "template of the task that is assigned when this task fails or is rejected"),
    predecessor_ids:       opt(plainIds("task_template_relation"), "relations of the same workflow template; no cycles"),
    ...timestamps,
  },
  defaultFields: ["id", "task_template", "phase_name", "failure_task_template", "predecessor_ids", "created_at", "updated_at"],
  sort:          "id",
});
