import { id, record, timestamps } from "../vocabulary/index.ts";

export const serviceOffering = record("service_offering", {
  collection: "service_offerings",
  fields: { id, ...timestamps },
});
