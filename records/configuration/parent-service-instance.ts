import { id, record, timestamps } from "../vocabulary/index.ts";

export const parentServiceInstance = record("parent_service_instance", {
  collection: "parent_service_instances",
  fields: { id, ...timestamps },
});
