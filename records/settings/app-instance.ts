import { id, record, timestamps } from "../vocabulary/index.ts";

export const appInstance = record("app_instance", {
  collection: "app_instances",
  fields: { id, ...timestamps },
});
