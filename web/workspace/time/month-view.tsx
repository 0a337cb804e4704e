import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatDuration } from "../../base/formats.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { timeQueries } from "../../queries/time.ts";
import { WeekdayHead } from "./days/weekday-head.tsx";
import { isWeekend, listMonth, nameFullDay } from "./week.ts";

type Props = { day: string; today: string; workday: number; person: number; isLocked(day: string): boolean };

/** The days of a month with their time; each links to its week. */
export function MonthView({ day, today, workday, person, isLocked }: Props) {
  const { account, api } = useCurrentAccount();
  const { data = {} } = useQuery(timeQueries.dayTotals(api, person, day));
  const weeks = listMonth(day);
  const total = Object.values(data).reduce((sum, minutes) => sum + Number(minutes), 0);
  return (
    <div className="time-frame">
      <table className="month-grid" aria-label={t("time.month")}>
        <thead>
          <tr>
            {weeks[0]?.map((each) => (
              <WeekdayHead key={each} day={each} />
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => {
                const minutes = Number(data[each] ?? 0);
                const isOwn = each.slice(0, 7) === day.slice(0, 7);
                const isShort = isOwn && each < today && !isWeekend(each) && minutes < workday;
                return (
                  <td key={each} data-weekend={isWeekend(each) || undefined} data-other={!isOwn || undefined}>
                    <Link
                      to={paths.timesheet(account.id, each)}
                      aria-label={`${nameFullDay(each)}: ${formatDuration(minutes)}`}
                      {...(each === today ? { "aria-current": "date" as const } : {})}
                    >
                      {String(Number(each.slice(8)))}
                    </Link>
                    <span className="numbers" data-short={isShort || undefined}>
                      {isOwn && minutes > 0 && formatDuration(minutes)}
                    </span>
                    {isOwn && isLocked(each) && <span className="quiet small">{t("time.lockedShort")}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="month-total">
        {t("time.total")} <strong className="numbers">{formatDuration(total)}</strong>
      </p>
    </div>
  );
}
