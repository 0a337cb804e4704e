// Time: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const time = {
  weekday: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  day_names: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
  "recurrence.frequency": ["no_repeat", "daily", "weekly", "monthly", "yearly"],
  "recurrence.day_of_week_index": ["first", "second", "third", "fourth", "last"],
  "timesheet_setting.unit": ["hours_and_minutes", "percentage_of_workday"],
  "time_entry.activity": ["fcr", "registered", "updated", "completed"],
  "time_allocation.customer_category": ["none", "selected", "any"],
  "time_allocation.service_category": ["none", "selected", "any"],
  "time_allocation.description_category": ["hidden", "optional", "required"],
} as const;
