import type { TypeRules } from "../engine/rules.ts";

// Reference: calendars.md, "Calendar hour" and "Holiday".

export const calendarHourRules: TypeRules = {
  check({ after, problem }) {
    // The end of a day and the beginning of the next are one moment, and shown as one.
    if (after.time_until === "24:00") after.time_until = "00:00";
    if (after.time_from === "24:00") return problem("time_from", "is not valid");
    const { time_from, time_until } = after;
    if (typeof time_from === "string" && typeof time_until === "string" && time_until !== "00:00")
      if (time_until <= time_from) problem("time_until", "is not valid");
  },
};

export const holidayRules: TypeRules = {
  check({ after: { start_at, end_at }, problem }) {
    if (typeof start_at === "string" && typeof end_at === "string" && end_at <= start_at)
      problem("end_at", "is not valid");
  },
};
