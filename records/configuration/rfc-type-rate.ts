import { id, record, timestamps } from "../vocabulary/index.ts";

export const rfcTypeRate = record("rfc_type_rate", {
  collection: "rfc_type_rates",
  fields: { id, ...timestamps },
});
