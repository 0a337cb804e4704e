import { id, record, timestamps } from "../vocabulary/index.ts";

export const ci = record("ci", {
  collection: "cis",
  fields: { id, ...timestamps },
});
