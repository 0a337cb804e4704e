import { queryOptions } from "@tanstack/react-query";
import type { RecordTypes, TypeName } from "../../records/index.ts";
import type { RecordOf } from "../../records/vocabulary/rows.ts";
import type { Api, FieldNamed, ListQuery } from "../api/index.ts";
import { changesOfRecord, changesOfTypes } from "./change-rules.ts";

// The entries of calendars: absences, holidays and records with a time, and a calendar's opening hours.

type PickedRow<N extends TypeName, F extends FieldNamed<N>> = Pick<RecordOf<RecordTypes[N]>, F | "id">;

const maxPages = 5;

/** A busy month has more than one page. A calendar with more than five would be unreadable. */
async function loadAll<N extends TypeName, F extends FieldNamed<N>>(
  api: Api,
  type: N,
  query: ListQuery<F>,
): Promise<readonly PickedRow<N, F>[]> {
  const found: PickedRow<N, F>[] = [];
  let after: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { rows, next } = await api.list<N, F>(type, { ...query, per_page: "100", search_after: after });
    found.push(...rows);
    if (next === null) break;
    after = next;
  }
  return found;
}

const absenceFields = ["person", "start_at", "end_at", "reason", "approval_delegate", "time_allocation"] as const;

export const calendarQueries = {
  /** Prefix of a person's calendar entries. */
  all: (api: Api) => [api.account, "calendar"] as const,
  /** Records with a time, page by page. */
  records: <N extends TypeName, const F extends FieldNamed<N>>(api: Api, type: N, query: ListQuery<F>) =>
    queryOptions({
      queryKey: [...calendarQueries.all(api), type, query],
      queryFn: () => loadAll(api, type, query),
      meta: { changedBy: changesOfTypes(type) },
    }),
  absences: (api: Api, query: Readonly<Record<string, string>>) =>
    calendarQueries.records(api, "out_of_office_period", { ...query, fields: absenceFields }),
  ownAbsences: (api: Api, person: number) => calendarQueries.absences(api, { person: String(person), state: "open" }),
  /** The scrum workspaces with their teams. */
  workspaces: (api: Api) =>
    queryOptions({
      ...calendarQueries.records(api, "scrum_workspace", { fields: ["team"] }),
      staleTime: 300_000,
      retry: false,
    }),
  /** Holidays that begin between two days. */
  holidays: (api: Api, from: string, until: string) =>
    queryOptions({
      queryKey: [api.account, "holidays", from, until],
      queryFn: async () => {
        const start_at = `>=${from}T00:00:00<=${until}T00:00:00`;
        const fields = ["name", "start_at"] as const;
        const { rows } = await api.list("holiday", { fields, start_at, per_page: "100" });
        return rows.toSorted((one, other) => one.start_at.localeCompare(other.start_at));
      },
      staleTime: 300_000,
      meta: { changedBy: changesOfTypes("holiday") },
    }),
  /** The opening hours of a calendar. */
  hours: (api: Api, calendar: number) => {
    const at = `/calendars/${calendar}/calendar_hours`;
    return queryOptions({
      queryKey: [api.account, "list", at],
      queryFn: async () => {
        const fields = ["id", "weekday", "time_from", "time_until"] as const;
        return (await api.list("calendar_hour", { at, fields, per_page: "100" })).rows;
      },
      meta: { changedBy: changesOfRecord("calendar", calendar) },
    });
  },
  /** The holidays of a calendar that touch the days from `from` to before `until`. */
  holidaysOf: (api: Api, calendar: number, from: string, until: string) => {
    const at = `/calendars/${calendar}/holidays`;
    return queryOptions({
      queryKey: [api.account, "list", at, from, until],
      queryFn: async () => {
        const fields = ["name", "start_at", "end_at"] as const;
        const period = { start_at: `<${until}T00:00`, end_at: `>${from}T00:00` };
        return (await api.list("holiday", { at, fields, ...period, per_page: "100" })).rows;
      },
      meta: { changedBy: changesOfRecord("calendar", calendar) },
    });
  },
};
