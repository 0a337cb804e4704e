import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

// Reference: records/problems-releases-projects-risks.md, "Project risk level".
export const projectRiskLevel = record("project_risk_level", { collection: "project_risk_levels", ...categoryTable });
