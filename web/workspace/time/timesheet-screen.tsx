import { ActionIcon, Button } from "@mantine/core";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { formatDuration } from "../../formats.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { currentTime, useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { tip } from "../../parts/tip.tsx";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { download } from "../dashboards/export-chart.ts";
import { AddLine } from "./add-line.tsx";
import { buildLines, keyOf, type Line, type Subject, sumCell, useEntries, useSaveCell, useSheets } from "./entries.ts";
import { MonthView } from "./month-view.tsx";
import { TeamView } from "./team-view.tsx";
import { minutesOf, TimerCard } from "./timer-card.tsx";
import { useTimer } from "./use-timer.ts";
import { addDays, dayOf, isDate, isWeekend, listMonth, listWeek, nameMonth, nameWeek } from "./week.ts";
import { nameLine, WeekGrid } from "./week-grid.tsx";
import { Forgotten, ProgressCard, WeekSplit } from "./week-parts.tsx";
import "../../styles/dashboards.css";
import "../../styles/time.css";

const views = ["week", "month", "team"] as const;

const writeCsv = (lines: readonly Line[], days: readonly string[]): string =>
  [["", ...days], ...lines.map((line) => [nameLine(line), ...days.map((day) => formatDuration(sumCell(line, day)))])]
    .map((row) => row.map((cell) => `"${cell.replace(/^[=+@-]/, "'$&").replaceAll('"', '""')}"`).join(","))
    .join("\r\n");

/** The own time of a week, a month, or that of the team. */
export function TimesheetScreen() {
  const { account, who, api } = useCurrentAccount();
  const now = useNow();
  const today = dayOf(now);
  const { date = "" } = useParams({ strict: false }) as { date?: string };
  const day = isDate(date) ? date : today;
  const search = useSearch({ strict: false }) as { view?: string };
  const view = views.find((each) => each === search.view) ?? "week";
  const navigate = useNavigate();
  const queries = useQueryClient();
  const person = who.person.id;
  const days = listWeek(day);
  const shownDays = view === "month" ? listMonth(day).flat() : days;
  const entries = useEntries(person, days);
  const { workday, isLocked } = useSheets(person, shownDays);
  const saveCell = useSaveCell(person, days);
  const { timer, start, clear } = useTimer();
  const week = days[0] as string;
  /** A line that was added is a draft until it has time. */
  const { values: drafted, change: changeDrafted } = useFormDraft(`timesheet/${week}/lines`, {
    added: [] as readonly { subject: Subject; description: string | null }[],
  });
  const [adding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  const lines = buildLines(entries.data ?? [], drafted.added);
  const isWeekLocked = days.every(isLocked);
  const go = (to: string) => navigateTo(`${paths.timesheet(account.id, to)}${view === "week" ? "" : `?view=${view}`}`);
  const step = (by: 1 | -1) =>
    go(view === "month" ? addDays(`${day.slice(0, 8)}01`, by === 1 ? 31 : -1) : addDays(day, 7 * by));

  const save = async (line: Line, at: string, minutes: number) => {
    await saveCell(line, at, minutes);
    changeDrafted(({ added }) => ({
      added: added.filter(({ subject, description }) => keyOf(subject, description) !== line.key),
    }));
    setVersion((before) => before + 1);
  };
  /** Adds time to what is there already. */
  const addTime = async (subject: Subject, at: string, minutes: number) => {
    const key = keyOf(subject, null);
    const line = lines.find((each) => each.key === key) ?? { key, subject, description: null, cells: new Map() };
    await save(line, at, sumCell(line, at) + minutes);
  };
  const stop = async () => {
    if (timer === null) return;
    // Entries are multiples of five minutes or more; a timer that ran at all counts as the least.
    const minutes = Math.max(5, Math.round(minutesOf(timer, currentTime()) / 5) * 5);
    try {
      await addTime(timer.subject, dayOf(currentTime()), minutes);
      await clear();
    } catch (failure) {
      showError(failure);
    }
  };
  const begin = async (subject: Subject) => {
    try {
      await stop();
      await start(subject);
    } catch (failure) {
      showError(failure);
    }
  };
  const lockWeek = async () => {
    try {
      await api.act("/timesheets/lock", { person_id: person, week_of: day });
    } catch (failure) {
      showError(failure);
    }
    await queries.invalidateQueries({ queryKey: [account.id, "timesheets", person] });
  };
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
    when: view === "week" && !isWeekLocked,
    run: lockWeek,
  };
  const csvAction: Action = {
    id: "time.csv",
    name: t("time.csv"),
    group: "general",
    icon: IconDownload,
    when: view === "week",
    run: () => download(`${week}.csv`, new Blob(["\uFEFF", writeCsv(lines, days)], { type: "text/csv" })),
  };
  useActions([addAction, lockAction, csvAction]);
  const past = days.filter((each) => each <= today && !isWeekend(each));
  const done = lines.reduce(
    (sum, line) => sum + days.filter((each) => each <= today).reduce((all, each) => all + sumCell(line, each), 0),
    0,
  );
  const short = past
    .filter((each) => each < today)
    .map((each) => ({ day: each, minutes: workday - lines.reduce((sum, line) => sum + sumCell(line, each), 0) }))
    .find(({ minutes }) => minutes > 0);
  return (
    <div className="page">
      <PageBar
        className="dashboard-bar"
        title={t("menu.timesheet")}
        actions={
          <>
            <div className="switch" role="tablist" aria-label={t("time.views")}>
              {views.map((each) => (
                <button
                  key={each}
                  type="button"
                  role="tab"
                  aria-selected={view === each}
                  onClick={() => void navigate({ to: ".", search: (each === "week" ? {} : { view: each }) as never })}
                >
                  {t(`time.view.${each}`)}
                </button>
              ))}
            </div>
            <ActionButton action={csvAction} compact />
            <ActionButton action={lockAction} compact />
            <ActionButton action={addAction} primary />
          </>
        }
      >
        <span className="week-steps">
          <ActionIcon
            variant="default"
            size={26}
            aria-label={t("time.before")}
            {...tip(t("time.before"))}
            onClick={() => step(-1)}
          >
            <Icon of={IconChevronLeft} />
          </ActionIcon>
          <span className="numbers">{view === "month" ? nameMonth(day) : nameWeek(days)}</span>
          <ActionIcon
            variant="default"
            size={26}
            aria-label={t("time.after")}
            {...tip(t("time.after"))}
            onClick={() => step(1)}
          >
            <Icon of={IconChevronRight} />
          </ActionIcon>
          <Button variant="default" size="xs" onClick={() => go(today)}>
            {t(view === "month" ? "time.thisMonth" : "time.thisWeek")}
          </Button>
        </span>
      </PageBar>
      <div className="page-body">
        <div className="timesheet">
          {view === "month" ? (
            <MonthView day={day} today={today} workday={workday} person={person} isLocked={isLocked} />
          ) : view === "team" ? (
            <TeamView day={day} days={days} />
          ) : entries.error !== null ? (
            <ErrorPanel error={entries.error} retry={() => void entries.refetch()} />
          ) : entries.data === undefined ? (
            <SkeletonRows rows={8} />
          ) : (
            <>
              <div className="time-head">
                <ProgressCard done={done} expected={past.length * workday} missing={short ?? null} />
                <TimerCard timer={timer} onStop={() => void stop()} />
              </div>
              <WeekGrid
                key={week}
                days={days}
                today={today}
                lines={lines}
                workday={workday}
                isLocked={isLocked}
                onSave={save}
                onStart={(subject) => void begin(subject)}
              >
                <AddLine
                  opened={adding}
                  onOpened={setAdding}
                  onAdd={(subject, description) =>
                    changeDrafted(({ added }) => ({ added: [...added, { subject, description }] }))
                  }
                />
              </WeekGrid>
              <div className="time-foot">
                <Forgotten
                  day={day}
                  version={version}
                  onAccept={(subject, at, minutes) => void addTime(subject, at, minutes).catch(showError)}
                />
                <WeekSplit lines={lines} days={days} />
              </div>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
