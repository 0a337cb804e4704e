import { id, record, timestamps } from "../vocabulary/index.ts";

export const timesheetSetting = record("timesheet_setting", {
  collection: "timesheet_settings",
  fields: { id, ...timestamps },
});
