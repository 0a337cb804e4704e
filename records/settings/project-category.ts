import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

// Specification, document 3, "Simple settings-style records".
export const projectCategory = record("project_category", { collection: "project_categories", ...categoryTable });
