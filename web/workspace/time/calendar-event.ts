import type { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import type { RecordOf } from "../../../records/vocabulary/rows.ts";

export type Absence = Pick<
  RecordOf<typeof outOfOfficePeriod>,
  "id" | "person" | "start_at" | "end_at" | "reason" | "approval_delegate" | "time_allocation"
>;

/** An event of the calendar. It contains the reader's absence, if it is one, because they can change it. */
export type CalendarEvent = {
  key: string;
  kind: "absence" | "holiday" | "target" | "workflow" | "reservation" | "sprint" | "broadcast";
  label: string;
  /** moments in the reader's zone; null: it fills its days */
  begin: string | null;
  end: string | null;
  /** the first and the last day */
  from: string;
  until: string;
  path: string | null;
  absence?: Absence;
};
