import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

// Specification, document 3: "same fields as project category".
export const riskSeverity = record("risk_severity", { collection: "risk_severities", ...categoryTable });
