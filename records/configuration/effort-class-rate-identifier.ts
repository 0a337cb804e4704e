import { id, record, timestamps } from "../vocabulary/index.ts";

export const effortClassRateIdentifier = record("effort_class_rate_identifier", {
  collection: "effort_class_rateIDs",
  fields: { id, ...timestamps },
});
