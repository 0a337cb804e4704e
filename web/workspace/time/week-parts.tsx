import { Button } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatMinutes } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { type Subject, type SubjectType, timeQueries } from "../../queries/time.ts";
import { type Line, sumCell } from "./entries.ts";
import { nameDay, nameWeekday } from "./week.ts";
import { pickSubjectIcon } from "./week-grid.tsx";

type Progress = { done: number; expected: number; missing: { day: string; minutes: number } | null };

/** The registered share of the expected time so far. */
export function ProgressCard({ done, expected, missing }: Progress) {
  const share = expected === 0 ? 1 : Math.min(1, done / expected);
  return (
    <div className="time-card time-progress">
      <p>
        <strong className="time-figure numbers">{formatMinutes(done)}</strong>{" "}
        <span className="quiet">{t("time.ofUntilNow", { time: formatMinutes(expected) })}</span>
        {missing !== null && (
          <span className="time-missing">
            {t("time.missing", { time: formatMinutes(missing.minutes), day: nameWeekday(missing.day) })}
          </span>
        )}
      </p>
      <div
        className="time-bar"
        role="progressbar"
        aria-label={t("time.registered")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

type SuggestionProps = { day: string; onAccept(subject: Subject, day: string, minutes: number): void; version: number };

/** The person's activities without registered time. */
export function MissingTime({ day, onAccept, version }: SuggestionProps) {
  const { account, api } = useCurrentAccount();
  const { data = [] } = useQuery({
    ...timeQueries.suggestions(api, day, version),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="time-card" aria-label={t("time.forgotten")}>
      <h2>{t("time.forgotten")}</h2>
      {data.length === 0 && <p className="quiet">{t("time.nothingForgotten")}</p>}
      <ul className="time-forgotten">
        {data.slice(0, 5).map(({ type, record, date, notes, changes, minutes }) => {
          const entry = findEntry(type);
          const subject: Subject = { type, id: record.id, name: record.subject };
          return (
            <li key={`${type} ${record.id} ${date}`}>
              <Icon of={pickSubjectIcon(subject)} />
              {entry === undefined ? (
                <span className="numbers quiet">{formatWorkId(type, record.id)}</span>
              ) : (
                <Link to={paths.record(account.id, entry, record.id)} className="numbers">
                  {formatWorkId(type, record.id)}
                </Link>
              )}
              <span className="truncate" title={record.subject}>
                {t(notes > 0 ? "time.youWrote" : "time.youChanged", {
                  count: notes > 0 ? notes : changes,
                  day: nameDay(date),
                })}
              </span>
              <Button
                variant="default"
                size="xs"
                leftSection={<Icon of={IconPlus} size={14} />}
                aria-label={t("time.accept", { time: formatMinutes(minutes), name: record.subject })}
                onClick={() => onAccept(subject, date, minutes)}
              >
                {formatMinutes(minutes)}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const kinds: readonly {
  name: "requests" | "workflows" | "projects" | "problems" | "allocations";
  type: SubjectType;
}[] = [
  { name: "requests", type: "request" },
  { name: "workflows", type: "task" },
  { name: "projects", type: "project_task" },
  { name: "problems", type: "problem" },
  { name: "allocations", type: "time_allocation" },
];

/** The week as one bar, by kind of work. */
export function WeekSplit({ lines, days }: { lines: readonly Line[]; days: readonly string[] }) {
  const sumOf = (type: SubjectType) =>
    lines
      .filter(({ subject }) => subject?.type === type)
      .reduce((sum, line) => sum + days.reduce((all, day) => all + sumCell(line, day), 0), 0);
  const parts = kinds
    .map(({ name, type }, at) => ({ name, at, minutes: sumOf(type) }))
    .filter(({ minutes }) => minutes > 0);
  const total = parts.reduce((sum, { minutes }) => sum + minutes, 0);
  return (
    <section className="time-card" aria-label={t("time.whereItGoes")}>
      <h2>{t("time.whereItGoes")}</h2>
      {total === 0 ? (
        <p className="quiet">{t("time.nothingYet")}</p>
      ) : (
        <>
          <div className="time-split" aria-hidden="true">
            {parts.map(({ name, at, minutes }) => (
              <span key={name} data-slice={at} style={{ flexGrow: minutes }} />
            ))}
          </div>
          <ul className="time-split-legend">
            {parts.map(({ name, at, minutes }) => (
              <li key={name}>
                <span className="chart-key" data-slice={at} aria-hidden="true" />
                {t(`time.kind.${name}`)} <span className="numbers quiet">{formatMinutes(minutes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
