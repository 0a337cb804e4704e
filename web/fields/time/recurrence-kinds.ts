import { boolean } from "../boolean.tsx";
import { enumeration } from "../enum.tsx";
import type { FieldKind } from "../field-kind.ts";
import { integer } from "../number.tsx";
import { reference } from "../references/reference.tsx";
import { string } from "../string.tsx";
import { date } from "./date.tsx";
import { datetime } from "./datetime.tsx";
import type { MemberName } from "./recurrence-members.ts";
import { timeOfDay } from "./time-of-day.tsx";
import { months, weekdayNames, weekdayNumbers } from "./weekdays-and-months.tsx";

/** How to show and edit each member of a recurrence. */
export const memberKinds: Readonly<Record<MemberName, FieldKind>> = {
  frequency: enumeration,
  interval: integer,
  start_date: date,
  end_date: date,
  time_of_day: timeOfDay,
  time_zone: enumeration,
  day: weekdayNumbers,
  day_of_week: boolean,
  day_of_week_index: enumeration,
  day_of_week_day: weekdayNames,
  day_of_month: string,
  month_of_year: months,
  calendar: reference,
  disabled: boolean,
  next_occurrence_at: datetime,
  last_occurrence_at: datetime,
};
