import { currency, decimal, hiddenTimestamps, id, record, ref, req, ro } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const effortClassRate = record("effort_class_rate", {
  collection: "effort_class_rates",
  ownedBy: ["service_offering"],
  fields: {
    id,
    service_offering: ro(ref("service_offering"), { internal: true }),
    effort_class:     req(ref("effort_class")),
    rate:             req(decimal, "per hour"),
    rate_currency:    req(currency),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "effort_class", "rate", "rate_currency"],
});
