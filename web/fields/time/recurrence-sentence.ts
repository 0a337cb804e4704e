import { formatDate } from "../../base/formats.ts";
import { t } from "../../languages/index.ts";
import { formatMonths, formatWeekdays } from "./weekdays-and-months.tsx";

// A recurrence in words: "First Sunday of January, April, July, October at 06:00".

type Recurrence = Readonly<Record<string, unknown>>;

const isGiven = (value: unknown): value is string => typeof value === "string" && value !== "";

const formatDays = (list: string): string =>
  list
    .split(",")
    .map((day) => (day.trim() === "-1" ? t("recurrence.lastDay") : String(Number(day))))
    .join(", ");

/** Null: it is not complete yet. The time zone is not part of it. */
export function describeRecurrence(recurrence: Recurrence): string | null {
  const { frequency, start_date: start, time_of_day: time, day, day_of_month, month_of_year } = recurrence;
  if (!isGiven(start) || !isGiven(time)) return null;
  const count = Number(recurrence.interval ?? 1);
  const startDay = new Date(`${start}T00:00:00Z`);
  if (frequency === "no_repeat") return t("recurrence.once", { date: formatDate(start), time });
  if (frequency === "daily" && !isGiven(day)) return t("recurrence.daily", { count, time });
  if (frequency === "weekly" || (frequency === "daily" && count === 1)) {
    const days = formatWeekdays(isGiven(day) ? day : String(startDay.getUTCDay()));
    return t("recurrence.weekly", { count, days, time });
  }
  const months = formatMonths(month_of_year);
  if (frequency === "yearly" && months === "") return null;
  if (recurrence.day_of_week === true) return describeWeekdays(recurrence, { count, months, time });
  if (frequency === "yearly") {
    const days = String(startDay.getUTCDate());
    return t("recurrence.yearly", { count, days, months, time });
  }
  if (frequency !== "monthly" || !isGiven(day_of_month)) return null;
  return t("recurrence.monthly", { count, days: formatDays(day_of_month), time });
}

function describeWeekdays(
  { frequency, day_of_week_index: index, day_of_week_day }: Recurrence,
  { count, months, time }: { count: number; months: string; time: string },
): string | null {
  const days = formatWeekdays(day_of_week_day);
  if (days === "" || !isGiven(index)) return null;
  const sentence =
    frequency === "yearly"
      ? t("recurrence.yearlyByWeekday", { index, days, months, time })
      : t("recurrence.monthlyByWeekday", { index, days, time });
  if (count === 1) return sentence;
  const every = t(frequency === "yearly" ? "recurrence.everyYears" : "recurrence.everyMonths", { count });
  return `${sentence}. ${every}.`;
}
