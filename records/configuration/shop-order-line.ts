import { id, record, timestamps } from "../vocabulary/index.ts";

export const shopOrderLine = record("shop_order_line", {
  collection: "shop_order_lines",
  fields: { id, ...timestamps },
});
