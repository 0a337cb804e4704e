import { alwaysSet, hiddenTimestamps, id, record, ref, req, ro, rule, string } from "../vocabulary/index.ts";

// The task template relations of a project template.
// biome-ignore format: a table keeps its columns
export const projectTaskTemplateRelation = record("project_task_template_relation", {
  collection: "project_task_template_relations",
  ownedBy: ["project_template"],
  fields: {
    id,
    project_template: ro(ref("project_template"), alwaysSet, { internal: true }),
    task_template:    req(ref("project_task_template")),
    phase_name:       req(string(50), "name of a phase of the project template"),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "task_template", "phase_name"],
  sort:          "id",
  views:         { enabled: rule("its task template is enabled"), disabled: rule("its task template is disabled") },
});
