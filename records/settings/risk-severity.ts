import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

// The same fields as project category.
export const riskSeverity = record("risk_severity", { collection: "risk_severities", ...categoryTable });
