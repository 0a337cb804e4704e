import { id, record, timestamps } from "../vocabulary/index.ts";

export const appOffering = record("app_offering", {
  collection: "app_offerings",
  fields: { id, ...timestamps },
});
