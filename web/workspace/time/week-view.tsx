import { showError } from "../../elements/toast.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { AddLine } from "./add-line.tsx";
import { type Line, sumDay } from "./entries.ts";
import { TimerCard } from "./timer-card.tsx";
import { useRegisteredTimer, type useTimesheetWeek } from "./use-timesheet-week.ts";
import { isWeekend } from "./week.ts";
import { WeekGrid } from "./week-grid.tsx";
import { MissingTime, ProgressCard, WeekSplit } from "./week-parts.tsx";

type Props = {
  day: string;
  days: readonly string[];
  today: string;
  week: ReturnType<typeof useTimesheetWeek>;
  workday: number;
  isLocked(day: string): boolean;
  adding: boolean;
  onAdding(adding: boolean): void;
};

/** The registered and expected time until today, and the first day with missing time. */
function measureProgress(lines: readonly Line[], days: readonly string[], today: string, workday: number) {
  const past = days.filter((each) => each <= today);
  const workdays = past.filter((each) => !isWeekend(each));
  const missing = workdays
    .filter((each) => each < today)
    .map((day) => ({ day, minutes: workday - sumDay(lines, day) }))
    .find(({ minutes }) => minutes > 0);
  return {
    done: past.reduce((sum, each) => sum + sumDay(lines, each), 0),
    expected: workdays.length * workday,
    missing: missing ?? null,
  };
}

/** The person's week: its progress, the timer, the grid and suggestions for missing time. */
export function WeekView({ day, days, today, week, workday, isLocked, adding, onAdding }: Props) {
  const { entries, lines, version, save, addTime, addLine } = week;
  const { timer, stop, begin } = useRegisteredTimer(addTime);
  if (entries.error !== null) return <ErrorPanel error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.data === undefined) return <SkeletonRows rows={8} />;
  return (
    <>
      <div className="time-head">
        <ProgressCard {...measureProgress(lines, days, today, workday)} />
        <TimerCard timer={timer} onStop={() => void stop()} />
      </div>
      <WeekGrid
        key={days[0]}
        days={days}
        today={today}
        lines={lines}
        workday={workday}
        isLocked={isLocked}
        onSave={save}
        onStart={(subject) => void begin(subject)}
      >
        <AddLine opened={adding} onOpened={onAdding} onAdd={addLine} />
      </WeekGrid>
      <div className="time-foot">
        <MissingTime
          day={day}
          version={version}
          onAccept={(subject, at, minutes) => void addTime(subject, at, minutes).catch(showError)}
        />
        <WeekSplit lines={lines} days={days} />
      </div>
    </>
  );
}
