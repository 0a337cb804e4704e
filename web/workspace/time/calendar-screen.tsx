import { ActionIcon, Button } from "@mantine/core";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../parts/link.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { tip } from "../../parts/tip.tsx";
import { paths } from "../../paths.ts";
import { AbsenceDialog } from "./absence-dialog.tsx";
import { type Absence, type CalendarEvent, useCalendarEvents } from "./calendar-events.ts";
import { CalendarSide } from "./calendar-side.tsx";
import { addDays, dayOf, isDate, isWeekend, listMonth, nameFullDay, nameMonth, nameWeekday } from "./week.ts";
import "../../styles/dashboards.css";
import "../../styles/time.css";

const mostOfDay = 4;

type Opened = { absence?: Absence; days: readonly [string, string] } | null;
type Drag = { from: string; until: string } | null;
const inOrder = ({ from, until }: NonNullable<Drag>): readonly [string, string] =>
  from < until ? [from, until] : [until, from];

/** A month: absences, holidays, targets, workflows and reservations. */
export function CalendarScreen() {
  const { account, who } = useCurrentAccount();
  const queries = useQueryClient();
  const now = useNow();
  const today = dayOf(now);
  const { date = "" } = useParams({ strict: false }) as { date?: string };
  const day = isDate(date) ? date : today;
  const weeks = listMonth(day);
  const [first, last] = [weeks[0]?.[0] as string, weeks.at(-1)?.[6] as string];
  const nameAbsence = (absence: Absence): string =>
    absence.person.id === who.person.id
      ? (absence.reason ?? t("calendar.meAway"))
      : t("calendar.away", { name: absence.person.name });
  const { events } = useCalendarEvents(first, last, nameAbsence);
  const [opened, setOpened] = useState<Opened>(null);
  const [drag, setDrag] = useState<Drag>(null);
  const go = (to: string) => navigateTo(paths.calendar(account.id, to));
  const addAction: Action = {
    id: "calendar.add",
    name: t("calendar.add"),
    group: "write",
    keys: "n",
    icon: IconPlus,
    run: () => setOpened({ days: [today, today] }),
  };
  useActions([addAction]);
  // The pointer may be let go anywhere.
  useEffect(() => {
    if (drag === null) return;
    const finish = () => {
      setDrag(null);
      setOpened({ days: inOrder(drag) });
    };
    window.addEventListener("pointerup", finish);
    return () => window.removeEventListener("pointerup", finish);
  }, [drag]);
  const isMarked = (each: string): boolean => {
    if (drag === null) return false;
    const [from, until] = inOrder(drag);
    return each >= from && each <= until;
  };
  return (
    <div className="page">
      <PageBar
        className="dashboard-bar"
        title={t("calendar.title")}
        actions={<ActionButton action={addAction} primary />}
      >
        <span className="week-steps">
          <ActionIcon
            variant="default"
            size={26}
            aria-label={t("time.before")}
            {...tip(t("time.before"))}
            onClick={() => go(addDays(`${day.slice(0, 8)}01`, -1))}
          >
            <Icon of={IconChevronLeft} />
          </ActionIcon>
          <span>{nameMonth(day)}</span>
          <ActionIcon
            variant="default"
            size={26}
            aria-label={t("time.after")}
            {...tip(t("time.after"))}
            onClick={() => go(addDays(`${day.slice(0, 8)}01`, 31))}
          >
            <Icon of={IconChevronRight} />
          </ActionIcon>
          <Button variant="default" size="xs" onClick={() => go(today)}>
            {t("time.thisMonth")}
          </Button>
        </span>
      </PageBar>
      <div className="page-body">
        <div className="calendar-page">
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
                        onPointerEnter={() =>
                          setDrag((before) => (before === null ? null : { ...before, until: each }))
                        }
                      >
                        <DayCell
                          day={each}
                          isToday={each === today}
                          events={events.filter(({ from, until }) => from <= each && until >= each)}
                          onOpen={(absence) => setOpened({ absence, days: [each, each] })}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <CalendarSide today={today} onChange={(absence) => setOpened({ absence, days: [today, today] })} />
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

type DayProps = {
  day: string;
  isToday: boolean;
  events: readonly CalendarEvent[];
  onOpen(absence: Absence): void;
};

function DayCell({ day, isToday, events, onOpen }: DayProps) {
  const shown = events.slice(0, events.length > mostOfDay ? mostOfDay - 1 : mostOfDay);
  return (
    <>
      <span className="calendar-date" aria-current={isToday ? "date" : undefined}>
        <span aria-hidden="true">{Number(day.slice(8))}</span>
        <span className="spoken">{nameFullDay(day)}</span>
      </span>
      <ul>
        {shown.map(({ key, kind, label, path, absence }) => (
          <li key={key} className="calendar-event" data-kind={kind} title={label}>
            {absence !== undefined ? (
              <button type="button" onClick={() => onOpen(absence)}>
                {label}
              </button>
            ) : path !== null ? (
              <Link to={path}>{label}</Link>
            ) : (
              label
            )}
          </li>
        ))}
        {events.length > shown.length && (
          <li className="quiet small">{t("calendar.more", { count: events.length - shown.length })}</li>
        )}
      </ul>
    </>
  );
}
