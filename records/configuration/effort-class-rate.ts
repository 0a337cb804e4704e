import { id, record, timestamps } from "../vocabulary/index.ts";

export const effortClassRate = record("effort_class_rate", {
  collection: "effort_class_rates",
  fields: { id, ...timestamps },
});
