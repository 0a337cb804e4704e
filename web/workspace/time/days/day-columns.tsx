import { type PointerEvent, useLayoutEffect, useRef } from "react";
import { formatTime } from "../../../base/formats.ts";
import { Link } from "../../../elements/link.tsx";
import { t } from "../../../languages/index.ts";
import type { Absence, CalendarEvent } from "../calendar-event.ts";
import { isWeekend, nameDay, nameFullDay } from "../week.ts";
import { EventName, EventSlots } from "./event-slots.tsx";
import { dayMinutes, isOn, isWholeDay, placeEvents, placeOverDays, writeMinute } from "./place-events.ts";
import { useDrawing } from "./use-drawing.ts";

type Props = {
  /** one, or the seven of a week */
  days: readonly string[];
  today: string;
  /** minutes since midnight */
  now: number;
  events: readonly CalendarEvent[];
  /** the person's work hours on a day, in minutes */
  hoursOf(day: string): readonly (readonly [number, number])[];
  onOpen(absence: Absence, day: string): void;
  onDraw(from: string, until: string): void;
  dayPath(day: string): string;
};

const hourHeight = 44;
const step = 15; // minutes
/** The hour at the top when the page opens. */
const firstHour = 7;

type Drag = { day: string; from: number; until: number };
const getSpan = ({ from, until }: Drag): { start: number; end: number } => ({
  start: Math.min(from, until),
  end: Math.max(from, until) + step,
});

/** Days side by side from midnight to midnight, with all-day events above. */
export function DayColumns({ days, today, now, events, hoursOf, onOpen, onDraw, dayPath }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const {
    shown: drag,
    begin,
    move,
  } = useDrawing<Drag>((drawn) => {
    const { start, end } = getSpan(drawn);
    onDraw(writeMinute(drawn.day, start), writeMinute(drawn.day, end));
  });
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = firstHour * hourHeight - 12;
  }, []);
  const minuteAt = ({ currentTarget, clientY }: PointerEvent<HTMLElement>): number => {
    const minute = ((clientY - currentTarget.getBoundingClientRect().top) / hourHeight) * 60;
    return Math.max(0, Math.min(dayMinutes - step, Math.floor(minute / step) * step));
  };
  const whole = placeOverDays(events, days, (event, day) => isOn(event, day) && isWholeDay(event, day));
  const grid = { "--days": days.length, "--hour": `${hourHeight}px` };
  return (
    <div className="time-frame day-frame" style={grid}>
      <div className="day-heads">
        <span />
        {days.map((day) => (
          <h2 key={day} data-weekend={isWeekend(day) || undefined}>
            <Link to={dayPath(day)} {...(day === today ? { "aria-current": "date" as const } : {})}>
              {nameDay(day)}
            </Link>
          </h2>
        ))}
        <span className="quiet small">{t("calendar.allDay")}</span>
        {days.map((day, at) => (
          <ul key={day} className="day-whole" aria-label={t("calendar.allDayOf", { day: nameFullDay(day) })}>
            <EventSlots slots={whole[at]?.slots ?? []} onOpen={(absence) => onOpen(absence, day)} />
          </ul>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard */}
      <section className="day-scroll" ref={scroller} tabIndex={0} aria-label={t("calendar.hours")}>
        <div className="day-hours" aria-hidden="true">
          {Array.from({ length: 24 }, (_, hour) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is identified by its number
            <span key={hour} className="quiet small numbers">
              {hour === 0 ? "" : formatTime(hour * 60)}
            </span>
          ))}
        </div>
        {days.map((day) => (
          <div
            key={day}
            className="day-column"
            data-day={day}
            data-weekend={isWeekend(day) || undefined}
            onPointerDown={(event) => {
              if (event.button !== 0 || event.pointerType === "touch") return;
              if (event.target instanceof Element && event.target.closest("a, button") !== null) return;
              event.preventDefault();
              const minute = minuteAt(event);
              begin({ day, from: minute, until: minute });
            }}
            onPointerMove={(event) => {
              const until = minuteAt(event);
              move((was) => (was.day !== day || was.until === until ? was : { ...was, until }));
            }}
          >
            {hoursOf(day).map(([from, until]) => (
              <span key={from} className="day-work" style={placeBox(from, until)} aria-hidden="true" />
            ))}
            {day === today && <span className="day-now" style={{ top: (now / 60) * hourHeight }} aria-hidden="true" />}
            {drag !== null && drag.day === day && (
              <span className="day-drawn" style={placeBox(getSpan(drag).start, getSpan(drag).end)}>
                {formatTime(getSpan(drag).start)} – {formatTime(getSpan(drag).end)}
              </span>
            )}
            <ul aria-label={nameFullDay(day)}>
              {placeEvents(events, day).map(({ event, start, end, lane, lanes }) => (
                <li
                  key={event.key}
                  className="calendar-event day-event"
                  data-kind={event.kind}
                  title={event.label}
                  style={{
                    ...placeBox(start, end),
                    insetInlineStart: `${(lane / lanes) * 100}%`,
                    width: `${100 / lanes}%`,
                  }}
                >
                  <span className="day-event-text">
                    <span className="numbers">
                      {event.begin?.slice(0, 10) === day ? event.begin.slice(11, 16) : ""}
                    </span>{" "}
                    <EventName event={event} onOpen={(absence) => onOpen(absence, day)} />
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </div>
  );
}

const placeBox = (from: number, until: number): { top: number; height: number } => ({
  top: (from / 60) * hourHeight,
  height: ((until - from) / 60) * hourHeight,
});
