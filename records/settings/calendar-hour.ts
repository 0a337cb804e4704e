import { choice, hiddenTimestamps, id, record, ref, req, ro, timeOfDay } from "../vocabulary/index.ts";

// Inside its calendar an entry shows no id.
// biome-ignore format: a table keeps its columns
export const calendarHour = record("calendar_hour", {
  collection: "calendar_hours",
  ownedBy: ["calendar"],
  display: "weekday",
  fields: {
    id,
    calendar:   ro(ref("calendar"), { internal: true }),
    weekday:    req(choice("weekday")),
    time_from:  req(timeOfDay),
    time_until: req(timeOfDay, "24:00, returned as 00:00, is midnight at the end of the day"),
    ...hiddenTimestamps,
  },
  defaultFields: ["weekday", "time_from", "time_until"],
  sort: "id",
});
