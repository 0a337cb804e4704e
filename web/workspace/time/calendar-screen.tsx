import { ActionIcon, Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { readerZone } from "../../moments.ts";
import { Icon } from "../../parts/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { tip } from "../../parts/tip.tsx";
import { paths } from "../../paths.ts";
import { AbsenceDialog } from "./absence-dialog.tsx";
import type { Absence } from "./calendar-event.ts";
import { useCalendarEvents } from "./calendar-events.ts";
import { CalendarMonth } from "./calendar-month.tsx";
import { CalendarSide } from "./calendar-side.tsx";
import { DayColumns } from "./days/day-columns.tsx";
import { addDays, dayOf, isDate, listMonth, listWeek, nameDay, nameFullDay, nameMonth, nameWeek } from "./week.ts";
import { listHours, useWorkHours } from "./work-hours.ts";
import "../../styles/dashboards.css";
import "../../styles/time.css";
import "../../styles/areas/calendar.css";

const views = ["day", "week", "month"] as const;
type View = (typeof views)[number];
const viewKeys: Readonly<Record<View, string>> = { day: "d", week: "w", month: "m" };

type Opened = { absence?: Absence; days: readonly [string, string] } | null;

/** The days that a view shows. */
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

/** Minutes since midnight where the reader is. */
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

/** A day, a week or a month: absences, holidays, targets, workflows, reservations, sprints and broadcasts. */
export function CalendarScreen() {
  const { account, who } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  const today = dayOf(now);
  const isPhone = useMediaQuery("(max-width: 40em)", false, { getInitialValueInEffect: false }) === true;
  const { date = "" } = useParams({ strict: false }) as { date?: string };
  const search = useSearch({ strict: false }) as { view?: string };
  const view = views.find((each) => each === search.view) ?? "month";
  const day = isDate(date) ? date : today;
  const days = listDays(view, day);
  const work = useWorkHours();
  const nameAbsence = (absence: Absence): string =>
    absence.person.id === who.person.id
      ? (absence.reason ?? t("calendar.meAway"))
      : t("calendar.away", { name: absence.person.name });
  const { events } = useCalendarEvents(days[0] as string, days.at(-1) as string, nameAbsence);
  const [opened, setOpened] = useState<Opened>(null);
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
  const step = (id: string, name: string, keys: string, to: string): Action => ({
    id: `calendar.${id}`,
    name,
    group: "list",
    keys,
    run: () => go(to),
  });
  useActions([
    addAction,
    step("before", t("time.before"), "[", stepFrom(view, day, -1)),
    step("after", t("time.after"), "]", stepFrom(view, day, 1)),
    step("today", t("calendar.today"), ".", today),
    ...views.map(
      (each): Action => ({
        id: `calendar.view.${each}`,
        name: t(`calendar.view.${each}`),
        group: "list",
        keys: viewKeys[each],
        run: () => go(day, each),
      }),
    ),
  ]);
  const common = { today, events, onOpen: openAbsence, onDraw: draw, dayPath: (to: string) => pathOf(to, "day") };
  return (
    <div className="page">
      <PageBar
        className="dashboard-bar"
        title={t("calendar.title")}
        actions={
          <>
            <div className="switch" role="tablist" aria-label={t("calendar.views")}>
              {views.map((each) => (
                <button key={each} type="button" role="tab" aria-selected={view === each} onClick={() => go(day, each)}>
                  {t(`calendar.view.${each}`)}
                </button>
              ))}
            </div>
            <ActionButton action={addAction} primary bare={isPhone} />
          </>
        }
      >
        <span className="week-steps">
          <ActionIcon
            variant="default"
            size={26}
            aria-label={t("time.before")}
            {...tip(t("time.before"))}
            onClick={() => go(stepFrom(view, day, -1))}
          >
            <Icon of={IconChevronLeft} />
          </ActionIcon>
          <span>{nameDays(view, day)}</span>
          <ActionIcon
            variant="default"
            size={26}
            aria-label={t("time.after")}
            {...tip(t("time.after"))}
            onClick={() => go(stepFrom(view, day, 1))}
          >
            <Icon of={IconChevronRight} />
          </ActionIcon>
          <Button variant="default" size="xs" onClick={() => go(today)}>
            {view === "month" ? t("time.thisMonth") : t("calendar.today")}
          </Button>
        </span>
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
          onSaved={() => void queries.invalidateQueries({ queryKey: [account.id, "calendar"] })}
        />
      )}
    </div>
  );
}
