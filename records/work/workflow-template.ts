import { id, record, timestamps } from "../vocabulary/index.ts";

export const workflowTemplate = record("workflow_template", {
  collection: "workflow_templates",
  fields: { id, ...timestamps },
});
