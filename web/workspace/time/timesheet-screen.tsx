import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDuration } from "../../base/formats.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { download } from "../dashboards/export-chart.ts";
import { type Line, sumCell, useSheets } from "./entries.ts";
import { MonthView } from "./month-view.tsx";
import { PeriodSteps } from "./period-steps.tsx";
import { TeamView } from "./team-view.tsx";
import { useTimesheetWeek } from "./use-timesheet-week.ts";
import { ViewSwitch } from "./view-switch.tsx";
import { addDays, isDate, listMonth, listWeek, nameMonth, nameWeek, toDay } from "./week.ts";
import { nameLine } from "./week-grid.tsx";
import { WeekView } from "./week-view.tsx";
import "../../styles/dashboards.css";
import "../../styles/time.css";

const views = ["week", "month", "team"] as const;

const writeCsv = (lines: readonly Line[], days: readonly string[]): string =>
  [["", ...days], ...lines.map((line) => [nameLine(line), ...days.map((day) => formatDuration(sumCell(line, day)))])]
    .map((row) => row.map((cell) => `"${cell.replace(/^[=+@-]/, "'$&").replaceAll('"', '""')}"`).join(","))
    .join("\r\n");

/** The day and the view in the address. */
function useTimesheetAddress(today: string) {
  const { account } = useCurrentAccount();
  const navigate = useNavigate();
  const { date = "" }: { date?: string } = useParams({ strict: false });
  const search: { view?: string } = useSearch({ strict: false });
  const view = views.find((each) => each === search.view) ?? "week";
  const day = isDate(date) ? date : today;
  const go = (to: string) => navigateTo(`${paths.timesheet(account.id, to)}${view === "week" ? "" : `?view=${view}`}`);
  return {
    view,
    day,
    go,
    step: (by: 1 | -1) =>
      go(view === "month" ? addDays(`${day.slice(0, 8)}01`, by === 1 ? 31 : -1) : addDays(day, 7 * by)),
    choose: (wanted: (typeof views)[number]) =>
      void navigate({ to: ".", search: wanted === "week" ? {} : { view: wanted } }),
  };
}

/** The person's time for a week or a month, or the team's. */
export function TimesheetScreen() {
  const { who } = useCurrentAccount();
  const today = toDay(useNow());
  const { view, day, go, step, choose } = useTimesheetAddress(today);
  const person = who.person.id;
  const days = listWeek(day);
  const { workday, isLocked } = useSheets(person, view === "month" ? listMonth(day).flat() : days);
  const week = useTimesheetWeek(days);
  const [adding, setAdding] = useState(false);
  const addAction: Action = {
    id: "time.add",
    name: t("time.add"),
    group: "write",
    keys: "n",
    icon: IconPlus,
    when: view === "week",
    run: () => setAdding(true),
  };
  const lockAction: Action = {
    id: "time.lockWeek",
    name: t("time.lockWeek"),
    group: "general",
    icon: IconLock,
    when: view === "week" && !days.every(isLocked),
    run: () => week.lock(day),
  };
  const csvAction: Action = {
    id: "time.csv",
    name: t("time.csv"),
    group: "general",
    icon: IconDownload,
    when: view === "week",
    run: () => download(`${days[0]}.csv`, new Blob(["\uFEFF", writeCsv(week.lines, days)], { type: "text/csv" })),
  };
  useActions([addAction, lockAction, csvAction]);
  return (
    <div className="page">
      <PageBar
        className="dashboard-bar"
        title={t("menu.timesheet")}
        actions={
          <>
            <ViewSwitch
              label={t("time.views")}
              views={views}
              current={view}
              nameView={(each) => t(`time.view.${each}`)}
              onChoose={choose}
            />
            <ActionButton action={csvAction} compact />
            <ActionButton action={lockAction} compact />
            <ActionButton action={addAction} primary />
          </>
        }
      >
        <PeriodSteps
          current={t(view === "month" ? "time.thisMonth" : "time.thisWeek")}
          onStep={step}
          onCurrent={() => go(today)}
        >
          <span className="numbers">{view === "month" ? nameMonth(day) : nameWeek(days)}</span>
        </PeriodSteps>
      </PageBar>
      <div className="page-body">
        <div className="timesheet">
          {view === "month" && (
            <MonthView day={day} today={today} workday={workday} person={person} isLocked={isLocked} />
          )}
          {view === "team" && <TeamView day={day} days={days} />}
          {view === "week" && (
            <WeekView {...{ day, days, today, week, workday, isLocked, adding }} onAdding={setAdding} />
          )}
        </div>
      </div>
    </div>
  );
}
