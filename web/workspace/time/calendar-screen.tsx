import { useMediaQuery } from "@mantine/hooks";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { readerZone } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { calendarQueries } from "../../queries/calendars.ts";
import { AbsenceDialog } from "./absence-dialog.tsx";
import type { Absence } from "./calendar-event.ts";
import { useCalendarEvents } from "./calendar-events.ts";
import { CalendarMonth } from "./calendar-month.tsx";
import { CalendarSide } from "./calendar-side.tsx";
import { DayColumns } from "./days/day-columns.tsx";
import { PeriodSteps } from "./period-steps.tsx";
import { ViewSwitch } from "./view-switch.tsx";
import { addDays, isDate, listMonth, listWeek, nameDay, nameFullDay, nameMonth, nameWeek, toDay } from "./week.ts";
import { listHours, useWorkHours } from "./work-hours.ts";
import "../../styles/dashboards.css";
import "../../styles/time.css";
import "../../styles/areas/calendar.css";

const views = ["day", "week", "month"] as const;
type View = (typeof views)[number];
const viewKeys: Readonly<Record<View, string>> = { day: "d", week: "w", month: "m" };

type OpenAbsence = { absence?: Absence; days: readonly [string, string] } | null;

/** The days of a view. */
function listDays(view: View, day: string): readonly string[] {
  if (view === "day") return [day];
  return view === "week" ? listWeek(day) : listMonth(day).flat();
}

function stepFrom(view: View, day: string, step: -1 | 1): string {
  if (view === "month") return addDays(`${day.slice(0, 8)}01`, step < 0 ? -1 : 31);
  return addDays(day, view === "week" ? 7 * step : step);
}

const nameDays = (view: View, day: string): string =>
  view === "day" ? nameFullDay(day) : view === "week" ? nameWeek(listWeek(day)) : nameMonth(day);

/** Minutes since midnight in the reader's zone. */
function minuteOfDay(now: number): number {
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat("en-GB", {
    timeZone: readerZone(),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  })
    .format(now)
    .split(":")
    .map(Number);
  return hour * 60 + minute;
}

/** Keys for other days and for the other views. */
function buildSteps(view: View, day: string, today: string, go: (to: string, wanted?: View) => void): Action[] {
  const step = (id: string, name: string, keys: string, to: string, wanted = view): Action => ({
    id: `calendar.${id}`,
    name,
    group: "list",
    keys,
    run: () => go(to, wanted),
  });
  return [
    step("before", t("time.before"), "[", stepFrom(view, day, -1)),
    step("after", t("time.after"), "]", stepFrom(view, day, 1)),
    step("today", t("calendar.today"), ".", today),
    ...views.map((each) => step(`view.${each}`, t(`calendar.view.${each}`), viewKeys[each], day, each)),
  ];
}

/** A day, a week or a month: absences, holidays, targets, workflows, reservations, sprints and broadcasts. */
export function CalendarScreen() {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  const today = toDay(now);
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false }) === true;
  const { date = "" }: { date?: string } = useParams({ strict: false });
  const search: { view?: string } = useSearch({ strict: false });
  const view = views.find((each) => each === search.view) ?? "month";
  const day = isDate(date) ? date : today;
  const days = listDays(view, day);
  const work = useWorkHours();
  const nameAbsence = (absence: Absence): string =>
    absence.person.id === who.person.id
      ? (absence.reason ?? t("calendar.meAway"))
      : t("calendar.away", { name: absence.person.name });
  const { events } = useCalendarEvents(days[0] ?? day, days.at(-1) ?? day, nameAbsence);
  const [opened, setOpened] = useState<OpenAbsence>(null);
  const pathOf = (to: string, wanted: View = view) =>
    `${paths.calendar(account.id, to)}${wanted === "month" ? "" : `?view=${wanted}`}`;
  const go = (to: string, wanted: View = view) => navigateTo(pathOf(to, wanted));
  const draw = useCallback((from: string, until: string) => setOpened({ days: [from, until] }), []);
  const openAbsence = (absence: Absence, on: string) => setOpened({ absence, days: [on, on] });
  const addAction: Action = {
    id: "calendar.add",
    name: t("calendar.add"),
    group: "write",
    keys: "n",
    icon: IconPlus,
    run: () => setOpened({ days: view === "month" ? [today, today] : [day, day] }),
  };
  useActions([addAction, ...buildSteps(view, day, today, go)]);
  const common = { today, events, onOpen: openAbsence, onDraw: draw, dayPath: (to: string) => pathOf(to, "day") };
  return (
    <div className="page">
      <PageBar
        className="dashboard-bar"
        title={t("calendar.title")}
        actions={
          <>
            <ViewSwitch
              label={t("calendar.views")}
              views={views}
              current={view}
              nameView={(each) => t(`calendar.view.${each}`)}
              onChoose={(each) => go(day, each)}
            />
            <ActionButton action={addAction} primary bare={isPhone} />
          </>
        }
      >
        <PeriodSteps
          current={view === "month" ? t("time.thisMonth") : t("calendar.today")}
          onStep={(by) => go(stepFrom(view, day, by))}
          onCurrent={() => go(today)}
        >
          <span>{nameDays(view, day)}</span>
        </PeriodSteps>
      </PageBar>
      <div className="page-body">
        {view === "week" && isPhone && (
          <div className="time-days">
            {days.map((each) => (
              <button key={each} type="button" aria-pressed={each === day} onClick={() => go(each)}>
                {nameDay(each)}
              </button>
            ))}
          </div>
        )}
        <div className="calendar-page">
          {view === "month" ? (
            <CalendarMonth day={day} {...common} />
          ) : (
            <DayColumns
              key={view}
              days={isPhone ? [day] : days}
              now={minuteOfDay(now)}
              hoursOf={(each) => listHours(work, each)}
              {...common}
            />
          )}
          <CalendarSide
            today={today}
            work={work}
            onChange={(absence) => setOpened({ absence, days: [today, today] })}
          />
        </div>
      </div>
      {opened !== null && (
        <AbsenceDialog
          absence={opened.absence}
          days={opened.days}
          onClose={() => setOpened(null)}
          onSaved={() => void queries.invalidateQueries({ queryKey: calendarQueries.all(api) })}
        />
      )}
    </div>
  );
}
