import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDate } from "../../base/formats.ts";
import { t } from "../../languages/index.ts";
import { calendarQueries } from "../../queries/calendars.ts";
import type { Absence } from "./calendar-event.ts";
import { addDays, nameWeekday } from "./week.ts";
import { type WorkHours, weekdays } from "./work-hours.ts";

/** a Monday, for the names of the days */
const monday = "2024-01-01";

type Props = { today: string; work: WorkHours | null; onChange(absence: Absence): void };

/** Beside the month: the reader's absences, work hours and the next holidays. */
export function CalendarSide({ today, work, onChange }: Props) {
  const { api, who } = useCurrentAccount();
  const { data: holidays = [] } = useQuery(calendarQueries.holidays(api, today, addDays(today, 180)));
  const { data: absences = [] } = useQuery(calendarQueries.ownAbsences(api, who.person.id));
  return (
    <div className="calendar-side">
      <section className="time-card">
        <h2>{t("calendar.absences")}</h2>
        {absences.length === 0 && <p className="quiet">{t("calendar.noAbsences")}</p>}
        <ul className="calendar-list">
          {absences.map((absence) => (
            <li key={absence.id}>
              <button type="button" className="calendar-own" onClick={() => onChange(absence)}>
                {formatDate(absence.start_at)} – {formatDate(absence.end_at)}
              </button>
              <span className="quiet small">{absence.reason ?? absence.time_allocation?.name ?? ""}</span>
            </li>
          ))}
        </ul>
        <p className="quiet small">{t("calendar.dragHint")}</p>
      </section>
      <section className="time-card">
        <h2>{t("calendar.workHours")}</h2>
        {work === null ? (
          <p className="quiet">{t("calendar.noWorkHours")}</p>
        ) : (
          <>
            <p className="quiet small">{work.name}</p>
            <dl className="calendar-hours">
              {weekdays.map((name, at) => {
                const hours = work.hours.filter(({ weekday }) => weekday === name);
                return (
                  <div key={name}>
                    <dt>{nameWeekday(addDays(monday, at))}</dt>
                    <dd className="numbers">
                      {hours.length === 0
                        ? "–"
                        : hours.map(({ time_from, time_until }) => `${time_from} – ${time_until}`).join(", ")}
                    </dd>
                  </div>
                );
              })}
            </dl>
          </>
        )}
      </section>
      <section className="time-card">
        <h2>{t("calendar.holidays")}</h2>
        {holidays.length === 0 && <p className="quiet">{t("calendar.noHolidays")}</p>}
        <ul className="calendar-list">
          {holidays.slice(0, 8).map(({ id, name, start_at }) => (
            <li key={id}>
              <span>{name}</span>
              <span className="quiet small numbers">{formatDate(start_at)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
