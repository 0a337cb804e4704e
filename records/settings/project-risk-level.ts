import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

export const projectRiskLevel = record("project_risk_level", { collection: "project_risk_levels", ...categoryTable });
