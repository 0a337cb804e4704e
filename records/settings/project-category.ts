import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

export const projectCategory = record("project_category", { collection: "project_categories", ...categoryTable });
