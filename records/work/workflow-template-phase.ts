import { id, record, timestamps } from "../vocabulary/index.ts";

export const workflowTemplatePhase = record("workflow_template_phase", {
  collection: "workflow_template_phases",
  fields: { id, ...timestamps },
});
