import { id, record, timestamps } from "../vocabulary/index.ts";

export const workflowType = record("workflow_type", {
  collection: "workflow_types",
  fields: { id, ...timestamps },
});
