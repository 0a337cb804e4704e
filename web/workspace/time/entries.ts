import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";

// The time entries of a person in some days, and the lines of the week that they make up.

export const subjectTypes = ["request", "problem", "task", "project_task", "time_allocation"] as const;
export type SubjectType = (typeof subjectTypes)[number];
export type Subject = { type: SubjectType; id: number; name: string; group?: string | null };

export type Entry = {
  id: number;
  date: string;
  time_spent: number;
  description: string | null;
  subject: Subject | null;
};

/** `cells`: by day, the entries that the cell sums up */
export type Line = {
  key: string;
  subject: Subject | null;
  description: string | null;
  cells: ReadonlyMap<string, readonly Entry[]>;
};

type EntryRow = Row & { date: string; time_spent: number; description: string | null };
type Named = { id: number; name?: string; subject?: string; localized_name?: string; group?: string | null };

function toEntry(row: EntryRow): Entry {
  const type = subjectTypes.find((name) => row[name] != null);
  const named = type === undefined ? null : (row[type] as Named);
  const subject =
    type === undefined || named === null
      ? null
      : {
          type,
          id: named.id,
          name: named.localized_name ?? named.subject ?? named.name ?? `#${named.id}`,
          ...(named.group === undefined ? {} : { group: named.group }),
        };
  return { id: row.id, date: row.date, time_spent: row.time_spent, description: row.description, subject };
}

export const keyOf = (subject: Subject | null, description: string | null): string =>
  subject === null
    ? `other ${description ?? ""}`
    : `${subject.type} ${subject.id} ${subject.type === "time_allocation" ? (description ?? "") : ""}`;

export function useEntries(person: number, days: readonly string[]) {
  const { account, api } = useCurrentAccount();
  const [first, last] = [days[0] as string, days.at(-1) as string];
  return useQuery({
    queryKey: [account.id, "time", person, first, last],
    queryFn: async () => {
      const query = {
        person: String(person),
        date: `>=${first}<=${last}`,
        deleted: "false",
        sort: "id",
        per_page: "100",
      };
      const rows: EntryRow[] = [];
      for (let after: string | null = ""; after !== null; ) {
        const page: { rows: Row[]; next: string | null } = await api.list(
          "/time_entries",
          after === "" ? query : { ...query, search_after: after },
        );
        rows.push(...(page.rows as EntryRow[]));
        after = page.next;
      }
      return rows.map(toEntry);
    },
  });
}

/** Lines in the order in which their subjects first appear. `added`: subjects without an entry yet. */
export function buildLines(
  entries: readonly Entry[],
  added: readonly { subject: Subject; description: string | null }[],
): Line[] {
  const lines = new Map<string, { subject: Subject | null; description: string | null; cells: Map<string, Entry[]> }>();
  for (const { subject, description, ...entry } of entries) {
    const key = keyOf(subject, description);
    const line = lines.get(key) ?? {
      subject,
      description: subject === null || subject.type === "time_allocation" ? description : null,
      cells: new Map<string, Entry[]>(),
    };
    line.cells.set(entry.date, [...(line.cells.get(entry.date) ?? []), { ...entry, subject, description }]);
    lines.set(key, line);
  }
  for (const { subject, description } of added) {
    const key = keyOf(subject, description);
    if (!lines.has(key)) lines.set(key, { subject, description, cells: new Map() });
  }
  return [...lines].map(([key, line]) => ({ key, ...line }));
}

export const sumCell = (line: Line, day: string): number =>
  (line.cells.get(day) ?? []).reduce((sum, { time_spent }) => sum + time_spent, 0);

/** Sets the sum of a cell: its newest entry takes up the difference. */
export function useSaveCell(person: number, days: readonly string[]) {
  const { account, api } = useCurrentAccount();
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
    await queries.invalidateQueries({ queryKey: [account.id, "time", person, days[0], days.at(-1)] });
  };
}

export type MonthSheet = { workday: number; sum_time_spent: number; locked: boolean; locked_days: string };

/** Workday and locked days of the months that some days lie in; null until they are there. */
export function useSheets(person: number, days: readonly string[]) {
  const { account, api } = useCurrentAccount();
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  const { data } = useQuery({
    queryKey: [account.id, "timesheets", person, months],
    queryFn: async () => {
      const sheets = await Promise.all(
        months.map((month) =>
          api.get<MonthSheet>("/timesheets", { person_id: String(person), month_of: `${month}-01` }),
        ),
      );
      return new Map(months.map((month, at) => [month, sheets[at] as MonthSheet]));
    },
  });
  const isLocked = (day: string): boolean =>
    data?.get(day.slice(0, 7))?.locked_days.charAt(Number(day.slice(8)) - 1) === "1";
  return { workday: data?.get(months[0] as string)?.workday ?? 480, isLocked, isLoaded: data !== undefined };
}
