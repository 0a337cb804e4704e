import { id, record, timestamps } from "../vocabulary/index.ts";

export const appOfferingScope = record("app_offering_scope", {
  collection: "app_offering_scopes",
  fields: { id, ...timestamps },
});
