import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectPhase = record("project_phase", {
  collection: "project_phases",
  fields: { id, ...timestamps },
});
