import { alwaysSet, id, namesIn, record, ref, ro } from "../vocabulary/index.ts";
import { templatePhaseFields } from "./phase-fields.ts";

export const projectTemplatePhase = record("project_template_phase", {
  collection: "project_template_phases",
  ownedBy: ["project_template"],
  fields: { id, project_template: ro(ref("project_template"), alwaysSet, { internal: true }), ...templatePhaseFields },
  defaultFields: ["id", ...namesIn(templatePhaseFields)],
  sort: "position",
});
