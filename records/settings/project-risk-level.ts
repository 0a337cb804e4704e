import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectRiskLevel = record("project_risk_level", {
  collection: "project_risk_levels",
  fields: { id, ...timestamps },
});
