import { hiddenTimestamps, id, record, ref, req, ro, string } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const rfcTypeActivityIdentifier = record("rfc_type_activity_identifier", {
  collection: "rfc_type_activity_identifiers",
  ownedBy: ["sla"],
  display: "activityID",
  fields: {
    id,
    sla:      ro(ref("sla"), { internal: true }),
    rfc_type: req(ref("rfc_type")),
    activityID:req(string()),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "rfc_type", "activityID"],
});
