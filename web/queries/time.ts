import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { timesheet } from "../../records/answers/timesheets.ts";
import type { person } from "../../records/people/person.ts";
import type { RecordOf, ReferenceValue } from "../../records/vocabulary/rows.ts";
import type { timeEntry } from "../../records/work/time-entry.ts";
import { type Api, ApiError, type Page } from "../api/index.ts";
import { changesOfRecord, changesOfTypes } from "./change-rules.ts";

// Time entries, the timesheets they add up to, and the records on which time can be registered.

export const subjectTypes = ["request", "problem", "task", "project_task", "time_allocation"] as const;
export type SubjectType = (typeof subjectTypes)[number];
/** A record on which time is registered. */
export type Subject = { type: SubjectType; id: number; name: string; group?: string | null };

export type Entry = {
  id: number;
  date: string;
  time_spent: number;
  description: string | null;
  subject: Subject | null;
};

export type MonthSheet = AnswerOf<typeof timesheet>;

type EntryRow = Pick<
  RecordOf<typeof timeEntry>,
  "id" | "date" | "time_spent" | "description" | (typeof subjectTypes)[number]
>;

/** Subjects can't be requested by `fields`: they are among the default ones. */
async function loadEntries(api: Api, person: number, first: string, last: string): Promise<Entry[]> {
  const query = { person: String(person), date: `>=${first}<=${last}`, deleted: "false", sort: "id", per_page: "100" };
  const rows: EntryRow[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page: Page<EntryRow> = await api.list<EntryRow>("/time_entries", { ...query, search_after: after });
    rows.push(...page.rows);
    after = page.next;
  }
  return rows.map(buildEntry);
}

/** The API names a record by its name or its subject. */
const nameSubject = ({ id, localized_name, subject, name }: ReferenceValue): string =>
  localized_name ?? (typeof subject === "string" ? subject : (name ?? `#${id}`));

function buildEntry(row: EntryRow): Entry {
  const { id, date, time_spent, description } = row;
  const type = subjectTypes.find((name) => row[name] != null);
  const reference = type === undefined ? null : row[type];
  if (type === undefined || reference === null) return { id, date, time_spent, description, subject: null };
  const { group } = reference;
  const subject = {
    ...{ type, id: reference.id, name: nameSubject(reference) },
    ...(group === null || typeof group === "string" ? { group } : {}),
  };
  return { id, date, time_spent, description, subject };
}

const isSubjectType = (type: string): type is SubjectType => subjectTypes.some((each) => each === type);

const listMonths = (days: readonly string[]): string[] => [...new Set(days.map((day) => day.slice(0, 7)))];

/** The timesheets of the organization; empty for people who may see only their own. */
async function loadTeamSheets(api: Api, organization: number | undefined, month: string): Promise<MonthSheet[]> {
  if (organization === undefined) return [];
  try {
    const parameters = { organization_id: organization, month_of: `${month}-01` };
    return [await api.call("GET /timesheets", parameters)].flat();
  } catch (error) {
    // Only the organization's manager and administrators may see its timesheets.
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

/** The people of the reader's organization, if the reader may see their timesheets; else those with incomplete ones. */
async function loadTeam(api: Api, day: string, days: readonly string[]) {
  const [me, incomplete] = await Promise.all([
    api.call("GET /me", {}),
    api.call("GET /timesheets/incomplete", { week_of: day }),
  ]);
  const months = listMonths(days);
  const sheets = await Promise.all(months.map((month) => loadTeamSheets(api, me.organization?.id, month)));
  const people = new Map<number, string>();
  for (const { person } of sheets.flat()) people.set(person.id, person.name);
  for (const { id, name } of incomplete) people.set(id, name);
  return [...people]
    .sort(([, one], [, other]) => one.localeCompare(other))
    .map(([id, name]) => {
      const own = new Map(months.map((month, at) => [month, sheets[at]?.find(({ person }) => person.id === id)]));
      const known = days.map((each) => own.get(each.slice(0, 7))?.locked_days.charAt(Number(each.slice(8)) - 1));
      return {
        id,
        name,
        missing: incomplete.find((each) => each.id === id)?.remaining_time ?? 0,
        isLocked: known.every((each) => each === undefined) ? null : known.every((each) => each === "1"),
      };
    });
}

type PersonWithHours = Pick<RecordOf<typeof person>, "work_hours">;

async function loadWorkHours(api: Api, id: number) {
  const path = `/people/${id}`;
  const { work_hours: calendar } = await api.get<PersonWithHours>(path, { fields: "work_hours" });
  if (calendar == null) return null;
  const { rows } = await api.list("calendar_hour", {
    at: `/calendars/${calendar.id}/calendar_hours`,
    fields: ["weekday", "time_from", "time_until"],
    per_page: "100",
  });
  return { name: calendar.name, hours: rows };
}

export const timeQueries = {
  /** Subjects of time entries other than records. */
  allocations: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "time allocations"],
      queryFn: async () => {
        const fields = ["name", "localized_name", "group", "description_category"] as const;
        return (await api.list("time_allocation", { fields, per_page: "100", disabled: "false" })).rows;
      },
      staleTime: 300_000,
      meta: { changedBy: changesOfTypes("time_allocation") },
    }),
  /** Records that match a text. */
  subjects: (api: Api, words: string) =>
    queryOptions({
      queryKey: [api.account, "time subjects", words],
      queryFn: async () =>
        (await api.call("GET /search", { q: words, per_page: 20 })).flatMap(({ id, type, title }): Subject[] =>
          isSubjectType(type) ? [{ type, id, name: title }] : [],
        ),
    }),
  /** A person's entries, from the first to the last of the days. */
  entries: (api: Api, person: number, days: readonly string[]) => {
    const [first = "", last = first] = [days[0], days.at(-1)];
    return queryOptions({
      queryKey: [api.account, "time", person, first, last],
      queryFn: () => loadEntries(api, person, first, last),
      meta: { changedBy: changesOfTypes("time_entry") },
    });
  },
  /** The minutes of a month by day. */
  dayTotals: (api: Api, person: number, day: string) =>
    queryOptions({
      queryKey: [api.account, "day totals", person, day.slice(0, 7)],
      queryFn: () => api.call("GET /timesheets/day_totals", { person_id: person, month_of: day }),
      meta: { changedBy: changesOfTypes("time_entry") },
    }),
  /** `version`: counts the saves of the page, so that suggestions with registered time disappear. */
  suggestions: (api: Api, day: string, version: number) =>
    queryOptions({
      queryKey: [api.account, "time suggestions", day, version],
      queryFn: () => api.call("GET /timesheets/suggestions", { week_of: day }),
    }),
  /** Prefix of a person's timesheets. */
  sheetsOf: (api: Api, person: number) => [api.account, "timesheets", person] as const,
  /**
   * The timesheets of the months that contain the days, by month. Locks aren't records, so no record change invalidates
   * them.
   */
  sheets: (api: Api, person: number, days: readonly string[]) => {
    const months = listMonths(days);
    return queryOptions({
      queryKey: [...timeQueries.sheetsOf(api, person), months],
      queryFn: async () => {
        const load = async (month: string) =>
          [await api.call("GET /timesheets", { person_id: person, month_of: `${month}-01` })].flat()[0];
        return new Map(await Promise.all(months.map(async (month) => [month, await load(month)] as const)));
      },
    });
  },
  /** Prefix of the team's timesheets of all weeks. */
  teams: (api: Api) => [api.account, "team timesheets"] as const,
  team: (api: Api, day: string, days: readonly string[]) =>
    queryOptions({
      queryKey: [...timeQueries.teams(api), days[0]],
      queryFn: () => loadTeam(api, day, days),
    }),
  /** The calendar of a person's work hours; null if there is none. */
  workHours: (api: Api, person: number) =>
    queryOptions({
      queryKey: [api.account, "work hours", person],
      queryFn: () => loadWorkHours(api, person),
      staleTime: 300_000,
      meta: { changedBy: changesOfRecord("person", person) },
    }),
};
