import { BadRequest, Forbidden, NotFound } from "../../../base/errors.ts";
import { rolesIn } from "../../../engine/access.ts";
import { buildNodeId } from "../../../engine/read/serializer.ts";
import { addDays, loadWeekInAccount } from "../../../rules/time/timesheet-settings.ts";
import { type Row, statement } from "../../../storage/database.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";

// TE5: worked out from the time entries of the account of the call; only the locks are stored, one row per person and
// day.

const selectOrganization = statement(
  "SELECT account_id, manager_id, substitute_id FROM organizations WHERE id = $1 AND account_id = ANY($2::text[])",
);
const selectPerson = statement(
  "SELECT account_id, organization_id FROM people WHERE id = $1 AND account_id = ANY($2::text[]) AND life_cycle = 'active'",
);
const counted = "NOT e.deleted AND e.life_cycle <> 'trashed'";
/** $1 account, $2 first day, $3 last day, $4 person or null, $5 organization or null, $6 visible accounts */
const people = `people p WHERE p.account_id = ANY($6::text[]) AND p.life_cycle = 'active' AND ($4::integer IS NULL OR p.id = $4)
  AND ($5::integer IS NULL OR (p.organization_id = $5 AND (NOT p.disabled OR p.id = $4)) OR EXISTS (SELECT 1 FROM time_entries e
    WHERE e.account_id = $1 AND e.person_id = p.id AND e.organization_id = $5 AND e.date BETWEEN $2 AND $3 AND ${counted}))`;
const settings = `timesheet_settings s JOIN timesheet_setting_organizations l ON l.timesheet_setting_id = s.id
  WHERE l.organization_id = p.organization_id AND s.account_id = $1 ORDER BY s.id LIMIT 1`;
const timesheets = statement(
  `SELECT p.id, p.account_id, p.name, p."sourceID", p.disabled, coalesce((SELECT s.workday FROM ${settings}), 480),
  (SELECT coalesce(sum(e.time_spent), 0) FROM time_entries e WHERE e.account_id = $1 AND e.person_id = p.id
    AND e.date BETWEEN $2 AND $3 AND ($5::integer IS NULL OR e.organization_id = $5) AND ${counted}),
  (SELECT string_agg(CASE WHEN k.date IS NULL THEN '0' ELSE '1' END, '' ORDER BY day)
    FROM generate_series($2::date, $3::date, interval '1 day') day
    LEFT JOIN timesheet_locks k ON k.account_id = $1 AND k.person_id = p.id AND k.date = day::date)
FROM ${people} ORDER BY p.name, p.id`,
);
/** $4 the caller, or null when the caller sees everybody; $5 organization or null */
const incomplete = statement(
  `SELECT p.id, p.name, p.primary_email, s.workweek, t.minutes FROM people p
JOIN organizations o ON o.id = p.organization_id
CROSS JOIN LATERAL (SELECT coalesce(s.workweek, 2400) AS workweek FROM ${settings}) s
CROSS JOIN LATERAL (SELECT coalesce(sum(e.time_spent), 0) AS minutes, count(*) AS entries FROM time_entries e
  WHERE e.account_id = $1 AND e.person_id = p.id AND e.date BETWEEN $2 AND $3 AND ${counted}) t
WHERE p.account_id = ANY($6::text[]) AND p.life_cycle = 'active' AND NOT p.disabled AND t.minutes < s.workweek
  AND ($5::integer IS NULL OR p.organization_id = $5)
  AND ($4::integer IS NULL OR p.id = $4 OR o.manager_id = $4 OR o.substitute_id = $4)
ORDER BY p.name, p.id`,
);
const dayTotals = statement(
  `SELECT e.date, sum(e.time_spent) FROM time_entries e WHERE e.account_id = $1 AND e.person_id = $4
AND e.date BETWEEN $2 AND $3 AND ($5::integer IS NULL OR e.organization_id = $5) AND ${counted} GROUP BY e.date ORDER BY e.date`,
);
const lock = statement(
  `INSERT INTO timesheet_locks (account_id, person_id, date)
SELECT $1, p.id, day::date FROM (SELECT p.id FROM ${people}) p, generate_series($2::date, $3::date, interval '1 day') day
ON CONFLICT DO NOTHING`,
);
const unlock = statement(
  `DELETE FROM timesheet_locks WHERE account_id = $1 AND date BETWEEN $2 AND $3 AND person_id IN (SELECT p.id FROM ${people})`,
);

type TimesheetParameters = ReadonlyMap<string, string>;
/** Whose time is asked for. */
type TimesheetSubject = { person: number | null; organization: number | null };

const administratorRoles = ["account_administrator", "directory_administrator"];
const overseerRoles = [...administratorRoles, "auditor", "directory_auditor"];

export function timesheetRoutes(api: Api): Route[] {
  const { database } = api.engine;
  const read = { type: "time-entry", action: "Read" } as const;
  const write = { type: "time-entry", action: "Update" } as const;
  const holds = (call: Call, account: string, roles: readonly string[]) =>
    roles.some((role) => call.caller.roles.has(role) || rolesIn(call.caller, account).has(role));

  /** The person, whoever leads the organization, and whoever oversees its account. */
  const subjectOf = async (
    call: Call,
    given: TimesheetParameters,
    roles: readonly string[],
    self: boolean,
  ): Promise<TimesheetSubject> => {
    const { caller: by } = call;
    const subject = { person: parseId(given, "person_id"), organization: parseId(given, "organization_id") };
    const [person] =
      subject.person === null ? [] : await database.read(selectPerson, [subject.person, by.directoryAccounts]);
    if (subject.person !== null && person === undefined) throw new NotFound();
    const led = subject.organization ?? (person?.[1] == null ? null : Number(person[1]));
    const [organization] = led === null ? [] : await database.read(selectOrganization, [led, by.directoryAccounts]);
    if (subject.organization !== null && organization === undefined) throw new NotFound();
    const leads = organization?.slice(1).some((leader) => Number(leader) === by.person) ?? false;
    const account = organization?.[0] ?? person?.[0] ?? by.account;
    if (!(self && subject.person === by.person) && !leads && !holds(call, account, roles)) throw new Forbidden();
    return subject;
  };
  const values = (call: Call, [from, until]: Period, { person, organization }: TimesheetSubject) => [
    call.caller.account,
    from,
    until,
    person,
    organization,
    call.caller.directoryAccounts,
  ];
  const periodOf = async (call: Call, given: TimesheetParameters, allowed: readonly string[]): Promise<Period> => {
    const named = ["date", "week_of", "month_of"].filter((name) => given.has(name));
    const [name] = named;
    if (name === undefined || named.length > 1 || !allowed.includes(name))
      throw new BadRequest(`Give ${allowed.length > 1 ? "one of " : ""}${allowed.map((one) => `'${one}'`).join(", ")}`);
    const date = parseDate(given, name);
    if (name === "date") return [date, date];
    if (name === "month_of") return getMonthPeriod(date);
    return loadWeekInAccount({ query: (query, list) => database.read(query, list) }, date, call.caller.account);
  };
  const shown = (call: Call, row: Row) => {
    const [id, account, name, sourceID, disabled, workday, sum, days] = row as string[];
    const minutes = Number(sum);
    return {
      person: {
        id: Number(id),
        name,
        ...(sourceID == null ? {} : { sourceID }),
        ...(disabled === "t" ? { disabled: true } : {}),
        ...(account === call.caller.account
          ? {}
          : { account: { id: account, name: api.identities.getAccountName(account ?? "") } }),
        nodeID: buildNodeId(api.domain, "Person", id as string),
      },
      workday: Number(workday),
      sum_time_spent: minutes,
      workdays: Math.round((minutes / Number(workday)) * 100) / 100,
      locked: !days?.includes("0"),
      locked_days: days,
    };
  };
  const change = (method: "POST" | "DELETE"): Route => ({
    method,
    path: "/timesheets/lock",
    scope: write,
    async handle(call) {
      const given = parseTimesheetBody((await call.body()).members);
      // Everybody may close the own timesheet; opening it again is for those who answer for it.
      const subject = await subjectOf(call, given, administratorRoles, method === "POST");
      requireSubject(subject);
      const period = await periodOf(call, given, ["date", "week_of", "month_of"]);
      await database.transaction(async (tx) => {
        tx.send(method === "POST" ? lock : unlock, values(call, period, subject));
      });
      return noContent;
    },
  });

  return [
    {
      method: "GET",
      path: "/timesheets",
      scope: read,
      async handle(call) {
        const given = parseTimesheetQuery(call);
        const subject = await subjectOf(call, given, overseerRoles, true);
        requireSubject(subject);
        const period = await periodOf(call, given, ["month_of"]);
        const rows = await database.read(timesheets, values(call, period, subject));
        const sheets = rows.map((row) => shown(call, row));
        if (subject.person === null) return ok(JSON.stringify(sheets));
        if (sheets[0] === undefined) throw new NotFound();
        return ok(JSON.stringify(sheets[0]));
      },
    },
    {
      method: "GET",
      path: "/timesheets/incomplete",
      scope: read,
      async handle(call) {
        const given = parseTimesheetQuery(call);
        const organization = parseId(given, "organization_id");
        if (organization !== null)
          await subjectOf(call, new Map([["organization_id", String(organization)]]), overseerRoles, false);
        const period = await periodOf(call, given, ["week_of"]);
        const everybody = organization !== null || holds(call, call.caller.account, overseerRoles);
        const subject = { person: everybody ? null : call.caller.person, organization };
        const rows = await database.read(incomplete, values(call, period, subject));
        const people = rows.map(([id, name, primary_email, workweek, minutes]) => ({
          id: Number(id),
          name,
          primary_email,
          completeness: Number(minutes) === 0 ? 0 : 1,
          remaining_time: Number(workweek) - Number(minutes),
        }));
        return ok(JSON.stringify(people));
      },
    },
    {
      method: "GET",
      path: "/timesheets/day_totals",
      scope: read,
      async handle(call) {
        const given = parseTimesheetQuery(call);
        const subject = await subjectOf(call, given, overseerRoles, true);
        if (subject.person === null) throw new BadRequest("Parameter 'person_id' is missing");
        const period = await periodOf(call, given, ["date", "week_of", "month_of"]);
        const rows = await database.read(dayTotals, values(call, period, subject).slice(0, 5));
        return ok(JSON.stringify(Object.fromEntries(rows)));
      },
    },
    change("POST"),
    change("DELETE"),
  ];
}

type Period = readonly [from: string, until: string];

const parameterNames = ["organization_id", "person_id", "date", "week_of", "month_of"];

function parseTimesheetQuery(call: Call): TimesheetParameters {
  const unknown = call.query.filter(({ name }) => !parameterNames.includes(name));
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${unknown.map(({ name }) => name).join(", ")}`);
  return new Map(call.query.map(({ name, value }) => [name, value]));
}

/** The same parameters, from a body or a query. */
const parseTimesheetBody = (members: Readonly<Record<string, unknown>>): TimesheetParameters =>
  new Map(
    Object.entries(members)
      .filter(([name, value]) => parameterNames.includes(name) && value !== null && value !== "")
      .map(([name, value]) => [name, String(value)]),
  );

function requireSubject({ person, organization }: TimesheetSubject): void {
  if (person === null && organization === null) throw new BadRequest("Give 'organization_id', 'person_id' or both");
}

function parseId(given: TimesheetParameters, name: string): number | null {
  const text = given.get(name);
  if (text === undefined) return null;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647)
    throw new BadRequest(`Invalid value for field '${name}'`);
  return Number(text);
}

function parseDate(given: TimesheetParameters, name: string): string {
  const text = given.get(name) ?? "";
  const moment = new Date(`${text}T00:00:00Z`);
  const real =
    /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().slice(0, 10) === text;
  if (!real) throw new BadRequest(`Invalid value for field '${name}'`);
  return text;
}

function getMonthPeriod(date: string): Period {
  const first = `${date.slice(0, 8)}01`;
  const next = `${addDays(first, 31).slice(0, 8)}01`;
  return [first, addDays(next, -1)];
}
