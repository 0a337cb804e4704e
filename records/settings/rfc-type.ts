import { id, record, timestamps } from "../vocabulary/index.ts";

export const rfcType = record("rfc_type", {
  collection: "rfc_types",
  fields: { id, ...timestamps },
});
