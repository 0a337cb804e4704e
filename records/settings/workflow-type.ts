import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

// biome-ignore format: a table keeps its columns
export const workflowType = record("workflow_type", {
  collection: "workflow_types",
  ...categoryTable,
  filterable:      ["id", "sourceID", "reference", "name", "disabled", "created_at", "updated_at"],
  caseInsensitive: ["sourceID", "reference", "name"],
});
