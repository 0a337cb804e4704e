import { id, integer, record, ref, ro, timestamps } from "../vocabulary/index.ts";

// Written through product_backlog of a request or a problem.
// biome-ignore format: a table keeps its columns
export const productBacklogItem = record("product_backlog_item", {
  collection: "product_backlog_items",
  ownedBy: ["product_backlog"],
  storage: { placement: "account" },
  fields: {
    id,
    product_backlog: ro(ref("product_backlog"), { internal: true }),
    position:        ro(integer(), "position from the top, starting at 1"),
    estimate:        ro(integer()),
    request:         ro(ref("request")),
    problem:         ro(ref("problem")),
    ...timestamps,
  },
  defaultFields: ["position", "estimate", "request", "problem", "created_at", "updated_at"],
  sort: "position",
});
