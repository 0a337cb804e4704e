import { id, record, timestamps } from "../vocabulary/index.ts";

export const serviceCategory = record("service_category", {
  collection: "service_categories",
  fields: { id, ...timestamps },
});
