import { id, record, timestamps } from "../vocabulary/index.ts";

export const affectedSla = record("affected_sla", {
  collection: "affected_slas",
  fields: { id, ...timestamps },
});
