import { id, record, timestamps } from "../vocabulary/index.ts";

export const calendarHour = record("calendar_hour", {
  collection: "calendar_hours",
  fields: { id, ...timestamps },
});
