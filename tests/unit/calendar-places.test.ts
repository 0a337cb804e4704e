import { expect, test } from "vitest";
import type { CalendarEvent } from "../../web/workspace/time/calendar-event.ts";
import { isOn, placeOverDays } from "../../web/workspace/time/days/place-events.ts";

// The layout of multi-day events: each is drawn once, across all its days, in one row.

const days = ["2025-03-03", "2025-03-04", "2025-03-05", "2025-03-06"];
const buildEvent = (label: string, from: number, until: number): CalendarEvent => ({
  key: label,
  kind: "sprint",
  label,
  begin: null,
  end: null,
  from: `2025-03-0${from}`,
  until: `2025-03-0${until}`,
  path: null,
});
/** "A×3": drawn over three days; "(A)": covered by that drawing; "-": an empty row; "+1": one more */
const describe = (events: readonly CalendarEvent[], most?: number) =>
  placeOverDays(events, days, isOn, most).map(({ slots, hidden }) =>
    [
      ...slots.map((slot) =>
        "gap" in slot ? (slot.gap === "" ? "-" : `(${slot.gap})`) : `${slot.event.label}×${slot.days}`,
      ),
      ...(hidden === 0 ? [] : [`+${hidden}`]),
    ].join(" "),
  );

test("a multi-day event is drawn once and keeps its row; short events fill the gaps", () => {
  const events = [buildEvent("S", 3, 3), buildEvent("A", 2, 4), buildEvent("B", 4, 9), buildEvent("T", 6, 6)];
  expect(describe(events)).toEqual(["A×2 S×1", "(A) B×3", "- (B)", "T×1 (B)"]);
  const [first] = placeOverDays(events, days, isOn)[0]?.slots ?? [];
  expect(first).toMatchObject({ beginsBefore: true, endsAfter: false });
});

test("a day with more events than rows shows the number of hidden ones, and a multi-day event is shown on all its days or on none", () => {
  const events = [
    buildEvent("A", 3, 6),
    buildEvent("B", 3, 4),
    buildEvent("C", 3, 4),
    buildEvent("D", 3, 3),
    buildEvent("E", 4, 4),
  ];
  expect(describe(events, 3)).toEqual(["A×4 B×2 +2", "(A) (B) +2", "(A)", "(A)"]);
  expect(describe(events, 4)).toEqual(["A×4 B×2 C×2 D×1", "(A) (B) (C) E×1", "(A)", "(A)"]);
});
