import { record } from "../vocabulary/index.ts";
import { categoryTable } from "./category-table.ts";

const { description: _, ...fields } = categoryTable.fields;

// As closure code without description.
// biome-ignore format: a table keeps its columns
export const rfcType = record("rfc_type", {
  collection: "rfc_types",
  ...categoryTable,
  fields,
  defaultFields:   ["id", "sourceID", "reference", "name", "position", "created_at", "updated_at"],
  filterable:      ["id", "sourceID", "reference", "name", "disabled", "created_at", "updated_at"],
  caseInsensitive: ["sourceID", "reference", "name"],
});
