import { calendarHour } from "../../../records/settings/calendar-hour.ts";
import type { Calendar } from "../../business-time/calendar.ts";
import { type Row, statement } from "../../database/database.ts";
import { rulesFor } from "../../engine/rules.ts";

// SLA2, SLA3

export const calendarHourRules = rulesFor(calendarHour, {
  beforeSave({ after, problem }) {
    // 24:00 and 00:00 of the next day are the same moment: answers show 00:00 for both.
    if (after.time_until === "24:00") after.time_until = "00:00";
    if (after.time_from === "24:00") return problem("time_from", "is not valid");
    const { time_from, time_until } = after;
    if (time_from !== null && time_until !== null && time_until !== "00:00")
      if (time_until <= time_from) problem("time_until", "is not valid");
  },
});

/** Hours and holidays of a calendar in one row, each as a JSON list. */
export const selectCalendar = statement(`SELECT
  (SELECT coalesce(json_agg(json_build_object('weekday', weekday, 'time_from', time_from, 'time_until', time_until) ORDER BY id), '[]')
   FROM calendar_hours WHERE calendar_id = $1),
  (SELECT coalesce(json_agg(json_build_object('start_at', h.start_at, 'end_at', h.end_at) ORDER BY h.id), '[]')
   FROM calendar_holidays l JOIN holidays h ON h.id = l.holiday_id WHERE l.calendar_id = $1)`);

export const parseCalendar = (row: Row | undefined): Calendar => ({
  hours: JSON.parse(row?.[0] ?? "[]"),
  holidays: JSON.parse(row?.[1] ?? "[]"),
});
