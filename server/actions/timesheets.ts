import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { incompleteTimesheet } from "../../records/answers/timesheets.ts";
import { administrators } from "../../records/people/roles.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import { type Row, statement } from "../database/database.ts";
import { parseBoolean, parseText } from "../database/rows.ts";
import { rolesIn } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { addDays, loadWeekInAccount } from "../rules/time/timesheet-settings.ts";

// TE5: timesheets are computed from the time entries of the account of the call. Only locks are stored, one row per
// person and day.

/** A person, the people of an organization, or a person's time for an organization. */
export type TimesheetSubject = { person: number | null; organization: number | null };
export type Period = readonly [from: string, until: string];

const selectOrganization = statement(
  "SELECT account_id, manager_id, substitute_id FROM organizations WHERE id = $1 AND account_id = ANY($2::text[])",
);
const selectPerson = statement(
  "SELECT account_id, organization_id FROM people WHERE id = $1 AND account_id = ANY($2::text[]) AND life_cycle = 'active'",
);
const isCounted = "NOT e.deleted AND e.life_cycle <> 'trashed'";
/** $1 account, $2 first day, $3 last day, $4 person or null, $5 organization or null, $6 visible accounts */
const peopleOfSubject = `people p WHERE p.account_id = ANY($6::text[]) AND p.life_cycle = 'active' AND ($4::integer IS NULL OR p.id = $4)
  AND ($5::integer IS NULL OR (p.organization_id = $5 AND (NOT p.disabled OR p.id = $4)) OR EXISTS (SELECT 1 FROM time_entries e
    WHERE e.account_id = $1 AND e.person_id = p.id AND e.organization_id = $5 AND e.date BETWEEN $2 AND $3 AND ${isCounted}))`;
const settingsOfPerson = `timesheet_settings s JOIN timesheet_setting_organizations l ON l.timesheet_setting_id = s.id
  WHERE l.organization_id = p.organization_id AND s.account_id = $1 ORDER BY s.id LIMIT 1`;
const selectTimesheets = statement(
  `SELECT p.id, p.account_id, p.name, p."sourceID", p.disabled, coalesce((SELECT s.workday FROM ${settingsOfPerson}), 480),
  (SELECT coalesce(sum(e.time_spent), 0) FROM time_entries e WHERE e.account_id = $1 AND e.person_id = p.id
    AND e.date BETWEEN $2 AND $3 AND ($5::integer IS NULL OR e.organization_id = $5) AND ${isCounted}),
  (SELECT string_agg(CASE WHEN k.date IS NULL THEN '0' ELSE '1' END, '' ORDER BY day)
    FROM generate_series($2::date, $3::date, interval '1 day') day
    LEFT JOIN timesheet_locks k ON k.account_id = $1 AND k.person_id = p.id AND k.date = day::date)
FROM ${peopleOfSubject} ORDER BY p.name, p.id`,
);
/** $4 the caller, or null when the caller sees everyone; $5 organization or null */
const selectIncomplete = statement(
  `SELECT p.id, p.name, p.primary_email, s.workweek, t.minutes FROM people p
JOIN organizations o ON o.id = p.organization_id
CROSS JOIN LATERAL (SELECT coalesce(s.workweek, 2400) AS workweek FROM ${settingsOfPerson}) s
CROSS JOIN LATERAL (SELECT coalesce(sum(e.time_spent), 0) AS minutes, count(*) AS entries FROM time_entries e
  WHERE e.account_id = $1 AND e.person_id = p.id AND e.date BETWEEN $2 AND $3 AND ${isCounted}) t
WHERE p.account_id = ANY($6::text[]) AND p.life_cycle = 'active' AND NOT p.disabled AND t.minutes < s.workweek
  AND ($5::integer IS NULL OR p.organization_id = $5)
  AND ($4::integer IS NULL OR p.id = $4 OR o.manager_id = $4 OR o.substitute_id = $4)
ORDER BY p.name, p.id`,
);
const selectDayTotals = statement(
  `SELECT e.date, sum(e.time_spent) FROM time_entries e WHERE e.account_id = $1 AND e.person_id = $4
AND e.date BETWEEN $2 AND $3 AND ($5::integer IS NULL OR e.organization_id = $5) AND ${isCounted} GROUP BY e.date ORDER BY e.date`,
);
const insertLocks = statement(
  `INSERT INTO timesheet_locks (account_id, person_id, date)
SELECT $1, p.id, day::date FROM (SELECT p.id FROM ${peopleOfSubject}) p, generate_series($2::date, $3::date, interval '1 day') day
ON CONFLICT DO NOTHING`,
);
const deleteLocks = statement(
  `DELETE FROM timesheet_locks WHERE account_id = $1 AND date BETWEEN $2 AND $3 AND person_id IN (SELECT p.id FROM ${peopleOfSubject})`,
);

const buildValues = (by: Caller, [from, until]: Period, { person, organization }: TimesheetSubject) => [
  by.account,
  from,
  until,
  person,
  organization,
  by.directoryAccounts,
];

const readerRoles = [...administrators, "auditor", "directory_auditor"];
/** All people may lock their own timesheet. Unlocking needs the manager of the organization or an administrator. */
const rights = {
  read: { roles: readerRoles, self: true },
  lock: { roles: administrators, self: true },
  unlock: { roles: administrators, self: false },
};

const hasRole = (by: Caller, account: string, roles: readonly string[]): boolean =>
  roles.some((role) => by.roles.has(role) || rolesIn(by, account).has(role));

/** For the person, the manager and the substitute of the organization, and some roles in its account. */
export async function requireTimesheetAccess(
  { database }: Engine,
  by: Caller,
  subject: TimesheetSubject,
  operation: keyof typeof rights,
): Promise<void> {
  const [person] =
    subject.person === null ? [] : await database.read(selectPerson, [subject.person, by.directoryAccounts]);
  if (subject.person !== null && person === undefined) throw new NotFound();
  const managed = subject.organization ?? (person?.[1] == null ? null : Number(person[1]));
  const [organization] =
    managed === null ? [] : await database.read(selectOrganization, [managed, by.directoryAccounts]);
  if (subject.organization !== null && organization === undefined) throw new NotFound();
  const isManager = organization?.slice(1).some((manager) => Number(manager) === by.person) ?? false;
  const account = organization?.[0] ?? person?.[0] ?? by.account;
  const { roles, self } = rights[operation];
  if (!(self && subject.person === by.person) && !isManager && !hasRole(by, account, roles)) throw new Forbidden();
}

export type PeriodUnit = "date" | "week_of" | "month_of";

/** The day, the week as the account counts weeks, or the month that a date lies in. */
export async function loadPeriod(
  { database }: Engine,
  account: string,
  unit: PeriodUnit,
  date: string,
): Promise<Period> {
  if (unit === "date") return [date, date];
  if (unit === "month_of") return getMonthPeriod(date);
  return loadWeekInAccount({ query: (query, values) => database.read(query, values) }, date, account);
}

function getMonthPeriod(date: string): Period {
  const first = `${date.slice(0, 8)}01`;
  const next = `${addDays(first, 31).slice(0, 8)}01`;
  return [first, addDays(next, -1)];
}

/** `lockedDays`: a 1 for each locked day of the period, a 0 for each other one. */
export type Timesheet = {
  person: { id: number; account: string; name: string; sourceID: string | null; disabled: boolean };
  workday: number;
  minutes: number;
  lockedDays: string;
};

export async function loadTimesheets(
  { database }: Engine,
  by: Caller,
  subject: TimesheetSubject,
  period: Period,
): Promise<Timesheet[]> {
  const rows = await database.readMany(selectTimesheets, buildValues(by, period, subject), by);
  return rows.map(parseTimesheet);
}

const parseTimesheet = (row: Row): Timesheet => ({
  person: {
    id: Number(row[0]),
    account: parseText(row[1]),
    name: parseText(row[2]),
    sourceID: row[3] ?? null,
    disabled: parseBoolean(row[4]),
  },
  workday: Number(row[5]),
  minutes: Number(row[6]),
  lockedDays: parseText(row[7]),
});

type IncompleteTimesheet = AnswerOf<typeof incompleteTimesheet>;

/** Without an organization: everyone for the roles that read all timesheets, else the caller and the people they manage. */
export async function loadIncompleteTimesheets(
  { database }: Engine,
  by: Caller,
  organization: number | null,
  period: Period,
): Promise<IncompleteTimesheet[]> {
  const seesEverybody = organization !== null || hasRole(by, by.account, readerRoles);
  const subject = { person: seesEverybody ? null : by.person, organization };
  const rows = await database.readMany(selectIncomplete, buildValues(by, period, subject), by);
  return rows.map(([id, name, primary_email = null, workweek, minutes]) => ({
    id: Number(id),
    name: parseText(name),
    primary_email,
    completeness: Number(minutes) === 0 ? 0 : 1,
    remaining_time: Number(workweek) - Number(minutes),
  }));
}

/** Minutes by date, as text. */
export async function loadDayTotals(
  { database }: Engine,
  by: Caller,
  subject: TimesheetSubject,
  period: Period,
): Promise<Record<string, string>> {
  const rows = await database.readMany(selectDayTotals, buildValues(by, period, subject).slice(0, 5), by);
  return Object.fromEntries(rows.map(([date, minutes]) => [parseText(date), parseText(minutes)]));
}

export const setTimesheetLocks = (
  { database }: Engine,
  by: Caller,
  subject: TimesheetSubject,
  period: Period,
  isLocked: boolean,
): Promise<void> =>
  database.transaction(async (tx) => tx.send(isLocked ? insertLocks : deleteLocks, buildValues(by, period, subject)));
