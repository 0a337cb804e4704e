import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type Entry, type Subject, timeQueries } from "../../queries/time.ts";

// The lines of a week, built from a person's time entries.

/** `cells`: by day, the entries whose sum the cell shows */
export type Line = {
  key: string;
  subject: Subject | null;
  description: string | null;
  cells: ReadonlyMap<string, readonly Entry[]>;
};

export const buildLineKey = (subject: Subject | null, description: string | null): string =>
  subject === null
    ? `other ${description ?? ""}`
    : `${subject.type} ${subject.id} ${subject.type === "time_allocation" ? (description ?? "") : ""}`;

/** Lines in the order in which their subjects first appear. `added`: subjects without an entry yet. */
export function buildLines(
  entries: readonly Entry[],
  added: readonly { subject: Subject; description: string | null }[],
): Line[] {
  const lines = new Map<string, { subject: Subject | null; description: string | null; cells: Map<string, Entry[]> }>();
  for (const { subject, description, ...entry } of entries) {
    const key = buildLineKey(subject, description);
    const line = lines.get(key) ?? {
      subject,
      description: subject === null || subject.type === "time_allocation" ? description : null,
      cells: new Map<string, Entry[]>(),
    };
    line.cells.set(entry.date, [...(line.cells.get(entry.date) ?? []), { ...entry, subject, description }]);
    lines.set(key, line);
  }
  for (const { subject, description } of added) {
    const key = buildLineKey(subject, description);
    if (!lines.has(key)) lines.set(key, { subject, description, cells: new Map() });
  }
  return [...lines].map(([key, line]) => ({ key, ...line }));
}

export const sumCell = (line: Line, day: string): number =>
  (line.cells.get(day) ?? []).reduce((sum, { time_spent }) => sum + time_spent, 0);

export const sumDay = (lines: readonly Line[], day: string): number =>
  lines.reduce((sum, line) => sum + sumCell(line, day), 0);

/** Sets the sum of a cell: its newest entry absorbs the difference. */
export function useSaveCell(person: number, days: readonly string[]) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  return async (line: Line, day: string, minutes: number): Promise<void> => {
    const entries = line.cells.get(day) ?? [];
    const newest = entries.at(-1);
    const difference = minutes - sumCell(line, day);
    if (difference === 0) return;
    if (newest === undefined) {
      const { subject, description } = line;
      await api.create("/time_entries", {
        ...{ person_id: person, date: day, time_spent: minutes },
        ...(subject === null ? {} : { [`${subject.type}_id`]: subject.id }),
        ...(description === null ? {} : { description }),
      });
    } else if (minutes === 0) {
      for (const { id } of entries) await api.remove(`/time_entries/${id}`);
    } else if (newest.time_spent + difference <= 0) {
      for (const { id } of entries.slice(0, -1)) await api.remove(`/time_entries/${id}`);
      await api.change(`/time_entries/${newest.id}`, { time_spent: minutes });
    } else await api.change(`/time_entries/${newest.id}`, { time_spent: newest.time_spent + difference });
    await queries.invalidateQueries({ queryKey: timeQueries.entries(api, person, days).queryKey });
  };
}

/** The workday and the locked days of the months that contain the days; null until loaded. */
export function useSheets(person: number, days: readonly string[]) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(timeQueries.sheets(api, person, days));
  const sheetOf = (day: string) => data?.get(day.slice(0, 7));
  const isLocked = (day: string): boolean => sheetOf(day)?.locked_days.charAt(Number(day.slice(8)) - 1) === "1";
  return { workday: sheetOf(days[0] ?? "")?.workday ?? 480, isLocked, isLoaded: data !== undefined };
}
