import { id, record, timestamps } from "../vocabulary/index.ts";

export const sla = record("sla", {
  collection: "slas",
  fields: { id, ...timestamps },
});
