import { id, record, timestamps } from "../vocabulary/index.ts";

export const effortClass = record("effort_class", {
  collection: "effort_classes",
  fields: { id, ...timestamps },
});
