import { alwaysSet, id, namesIn, record, ref, ro } from "../vocabulary/index.ts";
import { phaseFields } from "./phase-fields.ts";

export const workflowPhase = record("workflow_phase", {
  collection: "workflow_phases",
  ownedBy: ["workflow"],
  deletion: { deletable: true }, // tasks are then without a phase
  fields: { id, workflow: ro(ref("workflow"), alwaysSet, { internal: true }), ...phaseFields("workflow") },
  defaultFields: ["id", ...namesIn(phaseFields("workflow"))],
  sort: "position",
});
