import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { Query, Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { paths } from "../../paths.ts";
import { addDays } from "./week.ts";

// What stands in the calendar: absences, holidays, own targets, workflows that begin, own reservations.

type Named = { id: number; name: string };
export type Absence = Row & {
  person: Named;
  start_at: string;
  end_at: string;
  reason: string | null;
  approval_delegate: Named | null;
  time_allocation: Named | null;
};

export type CalendarEvent = {
  key: string;
  kind: "absence" | "holiday" | "target" | "workflow" | "reservation";
  label: string;
  /** the first and the last day */
  from: string;
  until: string;
  path: string | null;
  absence?: Absence;
};

const dayOfText = (text: string): string => text.slice(0, 10);
/** A full day ends at midnight, which is the beginning of the next. */
const lastDay = (end: string): string =>
  end.slice(11, 19) === "00:00:00" ? addDays(dayOfText(end), -1) : dayOfText(end);

/** Between the first and the last of some days; a part that cannot be loaded leaves the others. */
export function useCalendarEvents(first: string, last: string, nameAbsence: (absence: Absence) => string) {
  const { account, api, who } = useCurrentAccount();
  const within = `>=${first}T00:00:00<=${last}T23:59:59`;
  const overlapping = (start: string, end: string): Query => ({
    [start]: `<=${last}T23:59:59`,
    [end]: `>=${first}T00:00:00`,
  });
  const recordEvent = (kind: CalendarEvent["kind"], collection: string, date: string, label: string) => (row: Row) => {
    const day = dayOfText(String(row[date]));
    return {
      key: `${collection} ${row.id}`,
      kind,
      label: String(row[label]),
      from: day,
      until: day,
      path: paths.record(account.id, { collection }, row.id),
    };
  };
  const sources: { collection: string; query: Query; toEvent(row: Row): CalendarEvent }[] = [
    {
      collection: "out_of_office_periods",
      query: {
        ...overlapping("start_at", "end_at"),
        fields: "person,start_at,end_at,reason,approval_delegate,time_allocation",
      },
      toEvent(row) {
        const absence = row as Absence;
        return {
          key: `absence ${row.id}`,
          kind: "absence",
          label: nameAbsence(absence),
          from: dayOfText(absence.start_at),
          until: lastDay(absence.end_at),
          path: null,
          ...(absence.person.id === who.person.id ? { absence } : {}),
        };
      },
    },
    {
      collection: "holidays",
      query: overlapping("start_at", "end_at"),
      toEvent: (row) => ({
        key: `holiday ${row.id}`,
        kind: "holiday",
        label: String(row.name),
        from: dayOfText(String(row.start_at)),
        until: lastDay(String(row.end_at)),
        path: null,
      }),
    },
    {
      collection: "requests",
      query: {
        state: "assigned_to_me",
        status: "!completed",
        next_target_at: within,
        fields: "subject,next_target_at",
      },
      toEvent: recordEvent("target", "requests", "next_target_at", "subject"),
    },
    {
      collection: "tasks",
      query: { state: "assigned_to_me", completion_target_at: within, fields: "subject,completion_target_at" },
      toEvent: recordEvent("target", "tasks", "completion_target_at", "subject"),
    },
    {
      collection: "workflows",
      query: { state: "open", start_at: within, fields: "subject,start_at" },
      toEvent: recordEvent("workflow", "workflows", "start_at", "subject"),
    },
    {
      collection: "reservations",
      query: { person: String(who.person.id), start_at: within, fields: "name,start_at" },
      toEvent: recordEvent("reservation", "reservations", "start_at", "name"),
    },
  ];
  return useQueries({
    queries: sources.map(({ collection, query }) => ({
      queryKey: [account.id, "calendar", collection, query],
      queryFn: async () => (await api.list(`/${collection}`, { ...query, per_page: "100" })).rows,
      placeholderData: keepPreviousData,
    })),
    combine: (results) => ({
      isLoaded: results.every(({ data, error }) => data !== undefined || error !== null),
      events: results
        .flatMap(({ data }, at) => (data ?? []).map((row) => (sources[at] as (typeof sources)[number]).toEvent(row)))
        .sort((one, other) => one.from.localeCompare(other.from)),
    }),
  });
}
