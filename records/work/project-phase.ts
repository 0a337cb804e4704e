import { alwaysSet, id, namesIn, record, ref, ro } from "../vocabulary/index.ts";
import { phaseFields } from "./phase-fields.ts";

export const projectPhase = record("project_phase", {
  collection: "project_phases",
  ownedBy: ["project"],
  deletion: { deletable: true }, // tasks are then without a phase
  fields: { id, project: ro(ref("project"), alwaysSet, { internal: true }), ...phaseFields("project") },
  defaultFields: ["id", ...namesIn(phaseFields("project"))],
  sort: "position",
});
