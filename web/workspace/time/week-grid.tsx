import { ActionIcon } from "@mantine/core";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconPlane from "@tabler/icons-react/dist/esm/icons/IconPlane.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import { type ReactNode, useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { formatDuration } from "../../formats.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../parts/link.tsx";
import { tip } from "../../parts/tip.tsx";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { paths } from "../../paths.ts";
import { findEntry } from "../../type-index.ts";
import { type Line, type Subject, sumCell } from "./entries.ts";
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
  /** the last line: where a line is added */
  children: ReactNode;
};

export const nameLine = ({ subject, description }: Pick<Line, "subject" | "description">): string => {
  if (subject === null) return description ?? t("time.other");
  return subject.type === "time_allocation" && description !== null && description !== ""
    ? `${subject.name}: ${description}`
    : subject.name;
};

export const iconOf = (subject: Subject | null) => {
  if (subject === null || subject.type !== "time_allocation")
    return subject === null ? IconClock : typeIcon(subject.type);
  return /absen|abwesen|verlof|congé|ausencia|leave/i.test(`${subject.group ?? ""} ${subject.name}`)
    ? IconPlane
    : IconClock;
};

/** A line for each record or allocation, a column for each day. */
export function WeekGrid({ days, today, lines, workday, isLocked, onSave, onStart, children }: Props) {
  const { account } = useCurrentAccount();
  /** what is typed into cells and not saved, by line and day */
  const { values: texts, change: setTexts } = useFormDraft<Readonly<Record<string, string | undefined>>>(
    `timesheet/${days[0]}`,
    {},
  );
  // On a phone one day is shown at a time.
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? (days.includes(today) ? today : (days[0] as string));
  const focus = (row: number, column: number): void => {
    const place = document.querySelector<HTMLElement>(`[data-place="${row}/${column}"]`);
    place?.focus();
  };
  const totalOf = (day: string) => lines.reduce((sum, line) => sum + sumCell(line, day), 0);
  const whole = days.reduce((sum, day) => sum + totalOf(day), 0);
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
        <tbody>
          {lines.map((line, row) => {
            const { subject } = line;
            const entry = subject === null ? undefined : findEntry(subject.type);
            const isRecord = subject !== null && subject.type !== "time_allocation" && entry !== undefined;
            return (
              <tr key={line.key}>
                <th scope="row">
                  <span className="time-what">
                    <Icon of={iconOf(subject)} />
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
                      onMove={(rows, columns) => focus(row + rows, column + columns)}
                    />
                  </td>
                ))}
                <td className="numbers time-sum">
                  {formatDuration(days.reduce((sum, day) => sum + sumCell(line, day), 0))}
                </td>
              </tr>
            );
          })}
          <tr>
            <td colSpan={9} className="time-add">
              {children}
            </td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("time.total")}</th>
            {days.map((day) => {
              const total = totalOf(day);
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
      </table>
    </div>
  );
}
