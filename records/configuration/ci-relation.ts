import { id, record, timestamps } from "../vocabulary/index.ts";

export const ciRelation = record("ci_relation", {
  collection: "ci_relations",
  fields: { id, ...timestamps },
});
