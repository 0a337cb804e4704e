import { id, record, timestamps } from "../vocabulary/index.ts";

export const holiday = record("holiday", {
  collection: "holidays",
  fields: { id, ...timestamps },
});
