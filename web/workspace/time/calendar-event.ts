import type { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import type { RecordOf } from "../../../records/vocabulary/rows.ts";

export type Absence = Pick<
  RecordOf<typeof outOfOfficePeriod>,
  "id" | "person" | "start_at" | "end_at" | "reason" | "approval_delegate" | "time_allocation"
>;

/** An event of the calendar. An absence of the reader is part of it, because they can change it. */
export type CalendarEvent = {
  key: string;
  kind: "absence" | "holiday" | "target" | "workflow" | "reservation" | "sprint" | "broadcast";
  label: string;
  /** moments on the clock of the reader; null: it fills its days */
  begin: string | null;
  end: string | null;
  /** the first and the last day */
  from: string;
  until: string;
  path: string | null;
  absence?: Absence;
};
