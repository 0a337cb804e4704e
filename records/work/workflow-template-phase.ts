import { alwaysSet, id, namesIn, record, ref, ro } from "../vocabulary/index.ts";
import { templatePhaseFields } from "./phase-fields.ts";

export const workflowTemplatePhase = record("workflow_template_phase", {
  collection: "workflow_template_phases",
  ownedBy: ["workflow_template"],
  fields: {
    id,
    workflow_template: ro(ref("workflow_template"), alwaysSet, { internal: true }),
    ...templatePhaseFields,
  },
  defaultFields: ["id", ...namesIn(templatePhaseFields)],
  sort: "position",
});
