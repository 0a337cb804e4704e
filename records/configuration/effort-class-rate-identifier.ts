import { hiddenTimestamps, id, record, ref, req, ro, string } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const effortClassRateIdentifier = record("effort_class_rate_identifier", {
  collection: "effort_class_rate_identifiers",
  ownedBy: ["sla"],
  display: "rateID",
  fields: {
    id,
    sla:          ro(ref("sla"), { internal: true }),
    effort_class: req(ref("effort_class")),
    rateID:       req(string()),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "effort_class", "rateID"],
});
