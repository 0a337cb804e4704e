import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import type { Query, Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { paths } from "../../paths.ts";
import { useOwnTeams } from "../../queries/own-teams.ts";
import type { Absence, CalendarEvent, Named } from "./calendar-event.ts";
import { addDays } from "./week.ts";

// What stands in the calendar: absences, holidays, own targets, workflows, own reservations, sprints of own teams, broadcasts.

const dayOfText = (text: string): string => text.slice(0, 10);
/** A full day ends at midnight, which is the beginning of the next. */
const lastDay = (end: string): string =>
  end.slice(11, 19) === "00:00:00" ? addDays(dayOfText(end), -1) : dayOfText(end);

const mostPages = 5;

/** A busy month has more than one page; what comes after five pages nobody would find in a calendar. */
async function listAll(api: ReturnType<typeof useCurrentAccount>["api"], path: string, query: Query): Promise<Row[]> {
  const found: Row[] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const more: Query = after === null ? {} : { search_after: after };
    const { rows, next }: { rows: Row[]; next: string | null } = await api.list(path, {
      ...query,
      ...more,
      per_page: "100",
    });
    found.push(...rows);
    if (next === null) break;
    after = next;
  }
  return found;
}

type Source = {
  collection: string;
  query: Query;
  /** rows that the API cannot leave out */
  counts?(row: Row): boolean;
  toEvent(row: Row): CalendarEvent;
};

/** Between the first and the last of some days; a part that cannot be loaded leaves the others. */
export function useCalendarEvents(first: string, last: string, nameAbsence: (absence: Absence) => string) {
  const { account, api, who } = useCurrentAccount();
  const ownWorkspaces = useOwnWorkspaces();
  const within = `>=${first}T00:00:00<=${last}T23:59:59`;
  const overlapping = (start: string, end: string): Query => ({
    [start]: `<=${last}T23:59:59`,
    [end]: `>=${first}T00:00:00`,
  });
  const textOf = (row: Row, name: string): string => (row[name] == null ? "" : String(row[name]));
  const build = (
    row: Row,
    {
      collection,
      kind,
      label,
      begin,
      end,
    }: Pick<CalendarEvent, "kind" | "label"> & Record<"collection" | "begin" | "end", string>,
  ): CalendarEvent => ({
    key: `${collection} ${row.id}`,
    kind,
    label,
    begin,
    end: end === "" ? null : end,
    from: dayOfText(begin),
    until: end === "" ? dayOfText(begin) : lastDay(end),
    path: paths.record(account.id, { collection }, row.id),
  });
  /** From one field to another; without the other, a moment. */
  const recordEvent =
    (kind: CalendarEvent["kind"], collection: string, [begin, end]: readonly [string, string?], label: string) =>
    (row: Row) =>
      build(row, {
        ...{ collection, kind, label: textOf(row, label), begin: textOf(row, begin) },
        end: end === undefined ? "" : textOf(row, end),
      });
  const touches = (row: Row): boolean => {
    const [begin, end] = [textOf(row, "start_at"), textOf(row, "end_at")];
    return begin !== "" && dayOfText(begin) <= last && (end === "" || dayOfText(end) >= first);
  };
  const sources: Source[] = [
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
          begin: absence.start_at,
          end: absence.end_at,
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
        label: textOf(row, "name"),
        begin: null,
        end: null,
        from: dayOfText(textOf(row, "start_at")),
        until: lastDay(textOf(row, "end_at")),
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
      toEvent: recordEvent("target", "requests", ["next_target_at"], "subject"),
    },
    {
      collection: "tasks",
      query: { state: "assigned_to_me", completion_target_at: within, fields: "subject,completion_target_at" },
      toEvent: recordEvent("target", "tasks", ["completion_target_at"], "subject"),
    },
    {
      // The window of a workflow: from its start to the target of its last task.
      collection: "workflows",
      query: { state: "open", start_at: within, fields: "subject,start_at,completion_target_at" },
      toEvent(row) {
        const [begin, end] = [textOf(row, "start_at"), textOf(row, "completion_target_at")];
        const isWindow = end > begin;
        return build(row, {
          ...{ collection: "workflows", kind: "workflow", label: textOf(row, "subject"), begin },
          end: isWindow ? end : "",
        });
      },
    },
    {
      collection: "reservations",
      query: { ...overlapping("start_at", "end_at"), status: "!canceled", fields: "name,start_at,end_at,person" },
      counts: (row) => (row.person as Named | null)?.id === who.person.id,
      toEvent: recordEvent("reservation", "reservations", ["start_at", "end_at"], "name"),
    },
    {
      collection: "sprints",
      query: { status: "!completed", fields: "name,number,start_at,end_at,scrum_workspace" },
      counts: (row) => touches(row) && ownWorkspaces.has((row.scrum_workspace as Named | null)?.id ?? 0),
      toEvent(row) {
        const begin = textOf(row, "start_at");
        const workspace = row.scrum_workspace as Named;
        const name = textOf(row, "name") || t("calendar.sprint", { number: textOf(row, "number") });
        return {
          ...build(row, {
            ...{ collection: "sprints", kind: "sprint", label: `${workspace.name}: ${name}`, begin },
            end: textOf(row, "end_at"),
          }),
          begin: null,
          end: null,
        };
      },
    },
    {
      collection: "broadcasts",
      query: { start_at: `<=${last}T23:59:59`, fields: "message,start_at,end_at,disabled", sort: "-start_at" },
      counts: (row) => touches(row) && row.disabled !== true,
      toEvent(row) {
        const event = recordEvent("broadcast", "broadcasts", ["start_at", "end_at"], "message")(row);
        // Without an end it stands until somebody ends it.
        return event.end === null ? { ...event, begin: null, until: last } : event;
      },
    },
  ];
  return useQueries({
    queries: sources.map(({ collection, query }) => ({
      queryKey: [account.id, "calendar", collection, query],
      queryFn: () => listAll(api, `/${collection}`, query),
      placeholderData: keepPreviousData,
    })),
    combine: (results) => ({
      isLoaded: results.every(({ data, error }) => data !== undefined || error !== null),
      events: results
        .flatMap(({ data }, at) => {
          const { counts, toEvent } = sources[at] as Source;
          return (data ?? []).filter((row) => counts?.(row) ?? true).map(toEvent);
        })
        .sort((one, other) => (one.begin ?? one.from).localeCompare(other.begin ?? other.from)),
    }),
  });
}

/** The scrum workspaces of the teams that the reader belongs to. */
function useOwnWorkspaces(): ReadonlySet<number> {
  const { account, api } = useCurrentAccount();
  const teams = new Set(useOwnTeams(true).map(({ id }) => id));
  const { data } = useQuery({
    queryKey: [account.id, "calendar", "workspaces"],
    queryFn: () => listAll(api, "/scrum_workspaces", { fields: "team" }),
    staleTime: 300_000,
    retry: false,
  });
  return new Set((data ?? []).filter(({ team }) => teams.has((team as Named).id)).map(({ id }) => id));
}
