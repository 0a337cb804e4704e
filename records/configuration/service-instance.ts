import { id, record, timestamps } from "../vocabulary/index.ts";

export const serviceInstance = record("service_instance", {
  collection: "service_instances",
  fields: { id, ...timestamps },
});
