import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { timeQueries } from "../../queries/time.ts";
import { getWeekday } from "./days/calendar-day.ts";

export type WorkHours = {
  name: string;
  hours: readonly { weekday: string; time_from: string; time_until: string }[];
};
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The calendar of the person's work hours; null if there is none. */
export function useWorkHours(): WorkHours | null {
  const { api, who } = useCurrentAccount();
  const { data } = useQuery(timeQueries.workHours(api, who.person.id));
  return data ?? null;
}

const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** The person's work hours on a day, in minutes since midnight; without a calendar, the whole of each weekday. */
export function listHours(work: WorkHours | null, day: string): [number, number][] {
  if (work === null) return getWeekday(day) > 4 ? [] : [[0, 24 * 60]];
  return work.hours
    .filter(({ weekday }) => weekday === weekdays[getWeekday(day)])
    .map(({ time_from, time_until }) => [parseMinutes(time_from), parseMinutes(time_until) || 24 * 60]);
}
