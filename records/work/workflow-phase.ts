import { id, record, timestamps } from "../vocabulary/index.ts";

export const workflowPhase = record("workflow_phase", {
  collection: "workflow_phases",
  fields: { id, ...timestamps },
});
