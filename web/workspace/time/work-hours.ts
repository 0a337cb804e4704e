import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { weekdayOf } from "./days/calendar-day.ts";

export type Hour = { weekday: string; time_from: string; time_until: string };
export type WorkHours = { name: string; hours: readonly Hour[] };
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The calendar of the person's work hours; null where none is set. */
export function useWorkHours(): WorkHours | null {
  const { account, api, who } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "work hours", who.person.id],
    queryFn: async () => {
      const person = await api.get<{ work_hours: { id: number; name: string } | null }>(`/people/${who.person.id}`, {
        fields: "work_hours",
      });
      if (person.work_hours == null) return null;
      const { id, name } = person.work_hours;
      const { rows } = await api.list(`/calendars/${id}/calendar_hours`, { per_page: "100" });
      return { name, hours: rows as unknown as Hour[] };
    },
    staleTime: 300_000,
  });
  return data ?? null;
}

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** From when until when the person works on a day, in minutes since midnight; without work hours, all of a weekday. */
export function listHours(work: WorkHours | null, day: string): [number, number][] {
  if (work === null) return weekdayOf(day) > 4 ? [] : [[0, 24 * 60]];
  return work.hours
    .filter(({ weekday }) => weekday === weekdays[weekdayOf(day)])
    .map(({ time_from, time_until }) => [minutesOf(time_from), minutesOf(time_until) || 24 * 60]);
}
