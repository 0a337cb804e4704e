// One event of the calendar, and the absence that it may stand for.

export type Named = { id: number; name: string };
export type Absence = Record<string, unknown> & {
  id: number;
  person: Named;
  start_at: string;
  end_at: string;
  reason: string | null;
  approval_delegate: Named | null;
  time_allocation: Named | null;
};

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
