import { id, record, timestamps } from "../vocabulary/index.ts";

export const productCategory = record("product_category", {
  collection: "product_categories",
  fields: { id, ...timestamps },
});
