import { id, record, timestamps } from "../vocabulary/index.ts";

export const rfcTypeActivityIdentifier = record("rfc_type_activity_identifier", {
  collection: "rfc_type_activityIDs",
  fields: { id, ...timestamps },
});
