import { ActionIcon } from "@mantine/core";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconPlane from "@tabler/icons-react/dist/esm/icons/IconPlane.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import { type ReactNode, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDuration } from "../../base/formats.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { Subject } from "../../queries/time.ts";
import { type Line, sumCell, sumDay } from "./entries.ts";
import { TimeCell } from "./time-cell.tsx";
import { isWeekend, nameDay, nameFullDay } from "./week.ts";

type Props = {
  days: readonly string[];
  today: string;
  lines: readonly Line[];
  workday: number;
  isLocked(day: string): boolean;
  onSave(line: Line, day: string, minutes: number): Promise<void>;
  onStart(subject: Subject): void;
  /** the last line, which adds a new one */
  children: ReactNode;
};

export const nameLine = ({ subject, description }: Pick<Line, "subject" | "description">): string => {
  if (subject === null) return description ?? t("time.other");
  return subject.type === "time_allocation" && description !== null && description !== ""
    ? `${subject.name}: ${description}`
    : subject.name;
};

export const pickSubjectIcon = (subject: Subject | null) => {
  if (subject === null || subject.type !== "time_allocation")
    return subject === null ? IconClock : typeIcon(subject.type);
  return /absen|abwesen|verlof|congé|ausencia|leave/i.test(`${subject.group ?? ""} ${subject.name}`)
    ? IconPlane
    : IconClock;
};

const focusCell = (row: number, column: number): void =>
  document.querySelector<HTMLElement>(`[data-place="${row}/${column}"]`)?.focus();

/** A line for each record or allocation, a column for each day. */
export function WeekGrid({ days, today, lines, workday, isLocked, onSave, onStart, children }: Props) {
  /** typed but unsaved texts, by line and day */
  const { values: texts, change: setTexts } = useFormDraft<Readonly<Record<string, string | undefined>>>(
    `timesheet/${days[0]}`,
    {},
  );
  // On a phone one day is shown at a time.
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? (days.includes(today) ? today : (days[0] ?? today));
  return (
    <div className="time-frame">
      <div className="time-days">
        {days.map((day) => (
          <button key={day} type="button" aria-pressed={day === shown} onClick={() => setChosen(day)}>
            {nameDay(day)}
          </button>
        ))}
      </div>
      <table className="time-grid" aria-label={t("time.grid")}>
        <WeekHead {...{ days, today, shown, isLocked }} />
        <tbody>
          {lines.map((line, row) => (
            <tr key={line.key}>
              <LineName line={line} onStart={onStart} />
              {days.map((day, column) => (
                <td
                  key={day}
                  data-day={day}
                  data-shown={day === shown || undefined}
                  data-weekend={isWeekend(day) || undefined}
                >
                  <TimeCell
                    place={`${row}/${column}`}
                    label={`${nameLine(line)}, ${nameFullDay(day)}`}
                    minutes={sumCell(line, day)}
                    isLocked={isLocked(day)}
                    isToday={day === today}
                    typed={texts[`${line.key} ${day}`] ?? null}
                    onType={(text) => setTexts({ [`${line.key} ${day}`]: text ?? undefined })}
                    onSave={(minutes) => onSave(line, day, minutes)}
                    onMove={(rows, columns) => focusCell(row + rows, column + columns)}
                  />
                </td>
              ))}
              <td className="numbers time-sum">
                {formatDuration(days.reduce((sum, day) => sum + sumCell(line, day), 0))}
              </td>
            </tr>
          ))}
          <tr>
            <td colSpan={9} className="time-add">
              {children}
            </td>
          </tr>
        </tbody>
        <WeekTotals {...{ days, today, shown, lines, workday }} />
      </table>
    </div>
  );
}

type HeadProps = Pick<Props, "days" | "today" | "isLocked"> & { shown: string };

const WeekHead = ({ days, today, shown, isLocked }: HeadProps) => (
  <thead>
    <tr>
      <th scope="col">{t("time.what")}</th>
      {days.map((day) => (
        <th
          key={day}
          scope="col"
          className="numbers"
          data-day={day}
          data-shown={day === shown || undefined}
          data-today={day === today || undefined}
          aria-current={day === today ? "date" : undefined}
          data-weekend={isWeekend(day) || undefined}
        >
          {isLocked(day) && (
            <span className="time-lock">
              <Icon of={IconLock} size={12} />
              <span className="spoken">{t("time.locked")}</span>
            </span>
          )}
          {nameDay(day)}
        </th>
      ))}
      <th scope="col" className="numbers">
        {t("time.total")}
      </th>
    </tr>
  </thead>
);

function LineName({ line, onStart }: { line: Line; onStart(subject: Subject): void }) {
  const { account } = useCurrentAccount();
  const { subject } = line;
  const entry = subject === null ? undefined : findEntry(subject.type);
  const isRecord = subject !== null && subject.type !== "time_allocation" && entry !== undefined;
  return (
    <th scope="row">
      <span className="time-what">
        <Icon of={pickSubjectIcon(subject)} />
        {isRecord && <span className="numbers quiet">{formatWorkId(subject.type, subject.id)}</span>}
        {isRecord ? (
          <Link to={paths.record(account.id, entry, subject.id)} className="truncate">
            {subject.name}
          </Link>
        ) : (
          <span className="truncate">{nameLine(line)}</span>
        )}
        {subject !== null && (
          <ActionIcon
            variant="subtle"
            c="var(--text-2)"
            size={24}
            className="time-start"
            aria-label={t("time.startFor", { name: nameLine(line) })}
            {...tip(t("time.start"))}
            onClick={() => onStart(subject)}
          >
            <Icon of={IconPlayerPlay} size={14} />
          </ActionIcon>
        )}
      </span>
    </th>
  );
}

type TotalProps = Pick<Props, "days" | "today" | "lines" | "workday"> & { shown: string };

function WeekTotals({ days, today, shown, lines, workday }: TotalProps) {
  const whole = days.reduce((sum, day) => sum + sumDay(lines, day), 0);
  return (
    <tfoot>
      <tr>
        <th scope="row">{t("time.total")}</th>
        {days.map((day) => {
          const total = sumDay(lines, day);
          const isShort = day < today && !isWeekend(day) && total < workday;
          return (
            <td
              key={day}
              className="numbers"
              data-day={day}
              data-shown={day === shown || undefined}
              data-short={isShort || undefined}
              data-weekend={isWeekend(day) || undefined}
            >
              {total > 0 && formatDuration(total)}
            </td>
          );
        })}
        <td className="numbers time-sum">{formatDuration(whole)}</td>
      </tr>
    </tfoot>
  );
}
