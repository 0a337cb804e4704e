import { keepPreviousData, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { calendarQueries } from "../../queries/calendars.ts";
import type { Absence, CalendarEvent } from "./calendar-event.ts";
import { addDays } from "./week.ts";

// The sources of the calendar: a query each, and the conversion of its rows into events.

export type CalendarPeriod = {
  api: Api;
  /** the first and the last displayed day */
  first: string;
  last: string;
  reader: number;
  nameAbsence(absence: Absence): string;
};

const dayOfText = (text: string): string => text.slice(0, 10);
/** A full day ends at midnight, which is the beginning of the next. */
const lastDay = (end: string): string =>
  end.slice(11, 19) === "00:00:00" ? addDays(dayOfText(end), -1) : dayOfText(end);

const within = ({ first, last }: CalendarPeriod): string => `>=${first}T00:00:00<=${last}T23:59:59`;
const overlapping = ({ first, last }: CalendarPeriod) => ({
  start_at: `<=${last}T23:59:59`,
  end_at: `>=${first}T00:00:00`,
});
const touches = ({ first, last }: CalendarPeriod, begin: string | null, end: string | null): boolean =>
  begin !== null && dayOfText(begin) <= last && (end === null || dayOfText(end) >= first);

type Times = { id: number; label: string; begin: string | null; end?: string | null };

/** Without an end it is a single moment. */
const buildEvent = (
  { api }: CalendarPeriod,
  collection: string,
  kind: CalendarEvent["kind"],
  { id, label, begin, end = null }: Times,
): CalendarEvent => ({
  key: `${collection} ${id}`,
  kind,
  label,
  begin,
  end,
  from: dayOfText(begin ?? ""),
  until: end === null ? dayOfText(begin ?? "") : lastDay(end),
  path: paths.record(api.account, { collection }, id),
});

/** A query with the conversion of its rows into events. While other days are loading, the previous events stay. */
const source = <Row, Key extends QueryKey>(
  options: UseQueryOptions<readonly Row[], Error, readonly Row[], Key>,
  toEvents: (rows: readonly Row[]) => CalendarEvent[],
) => ({ ...options, select: toEvents, placeholderData: keepPreviousData });

const listAbsences = (period: CalendarPeriod) =>
  source(calendarQueries.absences(period.api, overlapping(period)), (rows) =>
    rows.map((absence) => ({
      ...{ key: `absence ${absence.id}`, kind: "absence", label: period.nameAbsence(absence), path: null },
      ...{ begin: absence.start_at, end: absence.end_at },
      ...{ from: dayOfText(absence.start_at), until: lastDay(absence.end_at) },
      ...(absence.person.id === period.reader ? { absence } : {}),
    })),
  );

const listHolidays = (period: CalendarPeriod) => {
  const query = { ...overlapping(period), fields: ["name", "start_at", "end_at"] } as const;
  return source(calendarQueries.records(period.api, "holiday", query), (rows) =>
    rows.map(({ id, name, start_at, end_at }) => ({
      ...{ key: `holiday ${id}`, kind: "holiday", label: name, path: null },
      ...{ begin: null, end: null, from: dayOfText(start_at), until: lastDay(end_at) },
    })),
  );
};

const listRequestTargets = (period: CalendarPeriod) => {
  const filter = { state: "assigned_to_me", status: "!completed", next_target_at: within(period) };
  const query = { ...filter, fields: ["subject", "next_target_at"] } as const;
  return source(calendarQueries.records(period.api, "request", query), (rows) =>
    rows.map(({ id, subject, next_target_at: begin }) =>
      buildEvent(period, "requests", "target", { id, label: subject ?? "", begin }),
    ),
  );
};

const listTaskTargets = (period: CalendarPeriod) => {
  const filter = { state: "assigned_to_me", completion_target_at: within(period) };
  const query = { ...filter, fields: ["subject", "completion_target_at"] } as const;
  return source(calendarQueries.records(period.api, "task", query), (rows) =>
    rows.map(({ id, subject, completion_target_at: begin }) =>
      buildEvent(period, "tasks", "target", { id, label: subject ?? "", begin }),
    ),
  );
};

/** From the start of a workflow to the target of its last task. */
const listWorkflows = (period: CalendarPeriod) => {
  const filter = { state: "open", start_at: within(period) };
  const query = { ...filter, fields: ["subject", "start_at", "completion_target_at"] } as const;
  return source(calendarQueries.records(period.api, "workflow", query), (rows) =>
    rows.map(({ id, subject, start_at: begin, completion_target_at: target }) => {
      const end = target !== null && target > (begin ?? "") ? target : null;
      return buildEvent(period, "workflows", "workflow", { id, label: subject, begin, end });
    }),
  );
};

const listReservations = (period: CalendarPeriod) => {
  const filter = { ...overlapping(period), status: "!canceled" };
  const query = { ...filter, fields: ["name", "start_at", "end_at", "person"] } as const;
  return source(calendarQueries.records(period.api, "reservation", query), (rows) =>
    rows
      .filter(({ person }) => person?.id === period.reader)
      .map(({ id, name, start_at: begin, end_at: end }) =>
        buildEvent(period, "reservations", "reservation", { id, label: name, begin, end }),
      ),
  );
};

/** Sprints of the reader's teams. */
const listSprints = (period: CalendarPeriod, ownWorkspaces: ReadonlySet<number>) => {
  const query = { status: "!completed", fields: ["name", "number", "start_at", "end_at", "scrum_workspace"] } as const;
  return source(calendarQueries.records(period.api, "sprint", query), (rows) =>
    rows
      .filter((row) => touches(period, row.start_at, row.end_at) && ownWorkspaces.has(row.scrum_workspace.id))
      .map(({ id, name, number, start_at: begin, end_at: end, scrum_workspace: workspace }) => {
        const title = name === null || name === "" ? t("calendar.sprint", { number: number ?? "" }) : name;
        const event = buildEvent(period, "sprints", "sprint", { id, label: `${workspace.name}: ${title}`, begin, end });
        return { ...event, begin: null, end: null };
      }),
  );
};

const listBroadcasts = (period: CalendarPeriod) => {
  const filter = { start_at: `<=${period.last}T23:59:59`, sort: "-start_at" };
  const query = { ...filter, fields: ["message", "start_at", "end_at", "disabled"] } as const;
  return source(calendarQueries.records(period.api, "broadcast", query), (rows) =>
    rows
      .filter((row) => touches(period, row.start_at, row.end_at) && row.disabled !== true)
      .map(({ id, message: label, start_at: begin, end_at: end }) => {
        const event = buildEvent(period, "broadcasts", "broadcast", { id, label, begin, end });
        // Without an end it is shown until a person ends it.
        return end === null ? { ...event, begin: null, until: period.last } : event;
      }),
  );
};

export const listSources = (period: CalendarPeriod, ownWorkspaces: ReadonlySet<number>) =>
  [
    listAbsences(period),
    listHolidays(period),
    listRequestTargets(period),
    listTaskTargets(period),
    listWorkflows(period),
    listReservations(period),
    listSprints(period, ownWorkspaces),
    listBroadcasts(period),
  ] as const;
