import { id, record, timestamps } from "../vocabulary/index.ts";

export const standardServiceRequestActivityIdentifier = record("standard_service_request_activity_identifier", {
  collection: "standard_service_request_activityIDs",
  fields: { id, ...timestamps },
});
