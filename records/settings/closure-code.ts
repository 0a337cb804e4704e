import { id, record, timestamps } from "../vocabulary/index.ts";

export const closureCode = record("closure_code", {
  collection: "closure_codes",
  fields: { id, ...timestamps },
});
