import { hiddenTimestamps, id, opt, record, ref, req, ro } from "../vocabulary/index.ts";
import { minutes } from "./minutes.ts";

// The assignments of a project task template.
// biome-ignore format: a table keeps its columns
export const projectTaskTemplateAssignment = record("project_task_template_assignment", {
  collection: "project_task_template_assignments",
  ownedBy: ["project_task_template"],
  fields: {
    id,
    project_task_template: ro(ref("project_task_template"), { internal: true }),
    assignee:              req(ref("person")),
    planned_effort:        opt(minutes),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "assignee", "planned_effort"],
  sort:          "id",
});
