import { id, record, timestamps } from "../vocabulary/index.ts";

export const product = record("product", {
  collection: "products",
  fields: { id, ...timestamps },
});
