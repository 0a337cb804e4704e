import { id, record, timestamps } from "../vocabulary/index.ts";

export const calendar = record("calendar", {
  collection: "calendars",
  fields: { id, ...timestamps },
});
