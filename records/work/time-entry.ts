import { id, record, timestamps } from "../vocabulary/index.ts";

export const timeEntry = record("time_entry", {
  collection: "time_entries",
  fields: { id, ...timestamps },
});
