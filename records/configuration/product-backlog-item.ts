import { id, record, timestamps } from "../vocabulary/index.ts";

export const productBacklogItem = record("product_backlog_item", {
  collection: "product_backlog_items",
  fields: { id, ...timestamps },
});
