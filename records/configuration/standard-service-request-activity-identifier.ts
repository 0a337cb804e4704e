import { hiddenTimestamps, id, record, ref, req, ro, string } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const standardServiceRequestActivityIdentifier = record("standard_service_request_activity_identifier", {
  collection: "standard_service_request_activity_identifiers",
  ownedBy: ["sla"],
  display: "activityID",
  fields: {
    id,
    sla:                      ro(ref("sla"), { internal: true }),
    standard_service_request: req(ref("standard_service_request")),
    activityID:               req(string()),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "standard_service_request", "activityID"],
});
