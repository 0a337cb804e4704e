import { id, record, timestamps } from "../vocabulary/index.ts";

export const standardServiceRequest = record("standard_service_request", {
  collection: "standard_service_requests",
  fields: { id, ...timestamps },
});
