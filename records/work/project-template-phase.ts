import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTemplatePhase = record("project_template_phase", {
  collection: "project_template_phases",
  fields: { id, ...timestamps },
});
