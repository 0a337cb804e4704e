import { nameShortWeekday, nameWeekday } from "../week.ts";

/** The header of a month column: a phone has room for two or three letters. */
export const WeekdayHead = ({ day }: { day: string }) => (
  <th scope="col">
    <span className="weekday-name">{nameWeekday(day)}</span>
    <span className="weekday-short" aria-hidden="true">
      {nameShortWeekday(day)}
    </span>
  </th>
);
