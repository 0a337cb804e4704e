import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import type { Absence, CalendarEvent } from "./calendar-event.ts";
import { EventSlots } from "./days/event-slots.tsx";
import { type DaySlots, isOn, placeOverDays } from "./days/place-events.ts";
import { useDrawing } from "./days/use-drawing.ts";
import { WeekdayHead } from "./days/weekday-head.tsx";
import { isWeekend, listMonth, nameFullDay } from "./week.ts";

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

/** The weeks of a month; dragging over days creates an absence. */
export function CalendarMonth({ day, today, events, onOpen, onDraw, dayPath }: Props) {
  const weeks = listMonth(day).map((week) => ({ week, placed: placeOverDays(events, week, isOn, mostOfDay) }));
  const { shown: drag, begin, move } = useDrawing<Drag>((drawn) => onDraw(...inOrder(drawn)));
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
            {weeks[0]?.week.map((each) => (
              <WeekdayHead key={each} day={each} />
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ week, placed }) => (
            <tr key={week[0]}>
              {week.map((each, at) => (
                <td
                  key={each}
                  data-day={each}
                  data-weekend={isWeekend(each) || undefined}
                  data-other={each.slice(0, 7) !== day.slice(0, 7) || undefined}
                  data-marked={isMarked(each) || undefined}
                  onPointerDown={(event) => {
                    if (event.button !== 0 || !(event.target instanceof Element)) return;
                    if (event.target.closest("a, button") !== null) return;
                    if (event.pointerType === "touch") return;
                    event.preventDefault();
                    begin({ from: each, until: each });
                  }}
                  onPointerEnter={() => move((before) => ({ ...before, until: each }))}
                >
                  <DayCell
                    day={each}
                    isToday={each === today}
                    placed={placed[at] ?? { slots: [], hidden: 0 }}
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
  placed: DaySlots;
  path: string;
  onOpen(absence: Absence): void;
};

function DayCell({ day, isToday, placed: { slots, hidden }, path, onOpen }: DayProps) {
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
        <EventSlots slots={slots} onOpen={onOpen} />
        {hidden > 0 && (
          <li className="small">
            <Link to={path} className="quiet">
              {t("calendar.more", { count: hidden })}
            </Link>
          </li>
        )}
      </ul>
    </>
  );
}
