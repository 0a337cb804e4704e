import { useEffect, useState } from "react";
import { t } from "../../languages/index.ts";
import { Link } from "../../parts/link.tsx";
import type { Absence, CalendarEvent } from "./calendar-events.ts";
import { EventName } from "./days/day-columns.tsx";
import { isOn } from "./days/place-events.ts";
import { isWeekend, listMonth, nameFullDay, nameWeekday } from "./week.ts";

const mostOfDay = 4;

type Drag = { from: string; until: string };
const inOrder = ({ from, until }: Drag): readonly [string, string] => (from < until ? [from, until] : [until, from]);

type Props = {
  day: string;
  today: string;
  events: readonly CalendarEvent[];
  onOpen(absence: Absence, day: string): void;
  onDraw(from: string, until: string): void;
  dayPath(day: string): string;
};

/** The weeks of a month; dragging over days makes an absence. */
export function CalendarMonth({ day, today, events, onOpen, onDraw, dayPath }: Props) {
  const weeks = listMonth(day);
  const [drag, setDrag] = useState<Drag | null>(null);
  // The pointer may be let go anywhere.
  useEffect(() => {
    if (drag === null) return;
    const finish = () => {
      setDrag(null);
      onDraw(...inOrder(drag));
    };
    window.addEventListener("pointerup", finish);
    return () => window.removeEventListener("pointerup", finish);
  }, [drag, onDraw]);
  const isMarked = (each: string): boolean => {
    if (drag === null) return false;
    const [from, until] = inOrder(drag);
    return each >= from && each <= until;
  };
  return (
    <div className="time-frame">
      <table
        className="month-grid calendar-grid"
        aria-label={t("calendar.month")}
        data-dragging={drag !== null || undefined}
      >
        <thead>
          <tr>
            {weeks[0]?.map((each) => (
              <th key={each} scope="col">
                {nameWeekday(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td
                  key={each}
                  data-day={each}
                  data-weekend={isWeekend(each) || undefined}
                  data-other={each.slice(0, 7) !== day.slice(0, 7) || undefined}
                  data-marked={isMarked(each) || undefined}
                  onPointerDown={(event) => {
                    if (event.button !== 0 || (event.target as Element).closest("a, button") !== null) return;
                    if (event.pointerType === "touch") return;
                    event.preventDefault();
                    setDrag({ from: each, until: each });
                  }}
                  onPointerEnter={() => setDrag((before) => (before === null ? null : { ...before, until: each }))}
                >
                  <DayCell
                    day={each}
                    isToday={each === today}
                    events={events.filter((event) => isOn(event, each))}
                    path={dayPath(each)}
                    onOpen={(absence) => onOpen(absence, each)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type DayProps = {
  day: string;
  isToday: boolean;
  events: readonly CalendarEvent[];
  path: string;
  onOpen(absence: Absence): void;
};

function DayCell({ day, isToday, events, path, onOpen }: DayProps) {
  const shown = events.slice(0, events.length > mostOfDay ? mostOfDay - 1 : mostOfDay);
  return (
    <>
      <Link
        to={path}
        className="calendar-date"
        aria-label={nameFullDay(day)}
        {...(isToday ? { "aria-current": "date" as const } : {})}
      >
        {String(Number(day.slice(8)))}
      </Link>
      <ul>
        {shown.map((event) => (
          <li key={event.key} className="calendar-event" data-kind={event.kind} title={event.label}>
            <EventName event={event} onOpen={onOpen} />
          </li>
        ))}
        {events.length > shown.length && (
          <li className="small">
            <Link to={path} className="quiet">
              {t("calendar.more", { count: events.length - shown.length })}
            </Link>
          </li>
        )}
      </ul>
    </>
  );
}
