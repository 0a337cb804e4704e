import { type PointerEvent, useLayoutEffect, useRef } from "react";
import { formatTime } from "../../base/formats.ts";
import { t } from "../../languages/index.ts";
import { useDrawing } from "../time/days/use-drawing.ts";
import { isWeekend, nameDay, nameFullDay } from "../time/week.ts";
import { type ClockChange, formatOpen, minutesOfDay, type Span } from "./open-minutes.ts";

export type Hours = Span & { id: number };
export type WeekDay = {
  day: string;
  hours: readonly Hours[];
  holidays: readonly (Span & { id: number; name: string })[];
  change: ClockChange | null;
  /** the opening time, in real minutes */
  minutes: number;
};

type Props = {
  days: readonly WeekDay[];
  today: string;
  writable: boolean;
  /** the same hours on these days, 0 is Monday */
  onDraw(days: readonly number[], span: Span): void;
  onOpen(at: number, hours: Hours): void;
};

const hourHeight = 26;
const step = 30; // minutes
/** The hour at the top when the page opens. */
const firstHour = 6;

type Drag = { first: number; last: number; from: number; until: number };

const getSpan = ({ from, until }: Drag): Span => ({ from: Math.min(from, until), until: Math.max(from, until) + step });
const covers = ({ first, last }: Drag, at: number): boolean =>
  at >= Math.min(first, last) && at <= Math.max(first, last);

const placeBox = ({ from, until }: Span): { top: number; height: number } => ({
  top: (from / 60) * hourHeight,
  height: ((until - from) / 60) * hourHeight,
});

const describeSpan = ({ from, until }: Span): string => `${formatTime(from)} – ${formatTime(until)}`;

/** Seven days side by side. Dragging over hours and days adds these hours to all of them. */
export function WeekGrid({ days, today, writable, onDraw, onOpen }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const { shown, begin, move } = useDrawing<Drag>((drawn) =>
    onDraw(
      days.flatMap((_, at) => (covers(drawn, at) ? [at] : [])),
      getSpan(drawn),
    ),
  );
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = firstHour * hourHeight;
  }, []);
  const minuteAt = ({ currentTarget, clientY }: PointerEvent<HTMLElement>): number => {
    const minute = ((clientY - currentTarget.getBoundingClientRect().top) / hourHeight) * 60;
    return Math.max(0, Math.min(minutesOfDay - step, Math.floor(minute / step) * step));
  };
  const grid = { "--days": 7, "--hour": `${hourHeight}px` };
  return (
    <div className="time-frame day-frame hours-frame" style={grid}>
      <div className="day-heads">
        <span />
        {days.map(({ day, minutes }) => (
          <h2 key={day} data-weekend={isWeekend(day) || undefined}>
            <span className="hours-day" data-today={day === today || undefined}>
              {nameDay(day)}
            </span>
            <span className="quiet numbers">{minutes === 0 ? t("calendarHours.closed") : formatOpen(minutes)}</span>
          </h2>
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
        {days.map(({ day, hours, holidays, change }, at) => (
          <div
            key={day}
            className="day-column"
            data-day={day}
            data-weekend={isWeekend(day) || undefined}
            onPointerDown={(event) => {
              if (!writable || event.button !== 0 || event.pointerType === "touch") return;
              if (event.target instanceof Element && event.target.closest("button") !== null) return;
              event.preventDefault();
              const minute = minuteAt(event);
              begin({ first: at, last: at, from: minute, until: minute });
            }}
            onPointerMove={(event) => {
              const until = minuteAt(event);
              move((was) => (was.last === at && was.until === until ? was : { ...was, last: at, until }));
            }}
          >
            <ul aria-label={nameFullDay(day)}>
              {hours.map((each) => (
                <li key={each.id} className="hours-open" style={placeBox(each)}>
                  {writable ? (
                    <button type="button" onClick={() => onOpen(at, each)}>
                      {describeSpan(each)}
                    </button>
                  ) : (
                    <span>{describeSpan(each)}</span>
                  )}
                </li>
              ))}
              {holidays.map((each) => (
                <li key={each.id} className="hours-closed" style={placeBox(each)}>
                  <span>{each.name}</span>
                </li>
              ))}
              {change !== null && (
                <li className="hours-change" style={placeBox(change)}>
                  <span>{t(change.missing ? "calendarHours.missing" : "calendarHours.twice")}</span>
                </li>
              )}
            </ul>
            {shown !== null && covers(shown, at) && (
              <span className="day-drawn" style={placeBox(getSpan(shown))}>
                {describeSpan(getSpan(shown))}
              </span>
            )}
          </div>
        ))}
      </section>
    </div>
  );
}
