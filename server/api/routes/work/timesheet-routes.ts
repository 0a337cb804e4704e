import { incompleteTimesheet, timeSuggestion, timesheetOperations } from "../../../../records/answers/timesheets.ts";
import { suggestTime } from "../../../actions/time/suggest-time.ts";
import {
  loadDayTotals,
  loadIncompleteTimesheets,
  loadPeriod,
  loadTimesheets,
  type Period,
  type PeriodUnit,
  requireTimesheetAccess,
  setTimesheetLocks,
  type Timesheet,
  type TimesheetSubject,
} from "../../../actions/timesheets.ts";
import { BadRequest, NotFound } from "../../../base/errors.ts";
import { buildNodeId } from "../../../engine/read/serializer.ts";
import { buildMemberSelection } from "../../http/entry-fields.ts";
import { parseFields } from "../../http/parameters.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, noContent, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// TE5

type TimesheetParameters = ReadonlyMap<string, string>;

const periodUnits: readonly PeriodUnit[] = ["date", "week_of", "month_of"];
const parameterNames: readonly string[] = ["organization_id", "person_id", "fields", ...periodUnits];

export function timesheetRoutes(api: Api): Route[] {
  const read = { type: "time-entry", action: "Read" } as const;
  const write = { type: "time-entry", action: "Update" } as const;
  const lockRoute = (isLocked: boolean) => ({
    scope: write,
    async handle(call: Call) {
      const parameters = parseTimesheetBody((await call.body()).members);
      const subject = parseSubject(parameters);
      await requireTimesheetAccess(call.engine, call.caller, subject, isLocked ? "lock" : "unlock");
      requireSubject(subject);
      const period = await readPeriod(call, parameters, periodUnits);
      await setTimesheetLocks(call.engine, call.caller, subject, period, isLocked);
      return noContent;
    },
  });

  return serve(timesheetOperations, {
    "GET /timesheets": {
      scope: read,
      async handle(call) {
        const parameters = parseTimesheetQuery(call);
        const subject = parseSubject(parameters);
        await requireTimesheetAccess(call.engine, call.caller, subject, "read");
        requireSubject(subject);
        const period = await readPeriod(call, parameters, ["month_of"]);
        const timesheets = await loadTimesheets(call.engine, call.caller, subject, period);
        const rendered = timesheets.map((timesheet) => renderTimesheet(api, call.caller.account, timesheet));
        if (subject.person === null) return ok(rendered);
        if (rendered[0] === undefined) throw new NotFound();
        return ok(rendered[0]);
      },
    },
    "GET /timesheets/incomplete": {
      scope: read,
      async handle(call) {
        const parameters = parseTimesheetQuery(call);
        const organization = parseId(parameters, "organization_id");
        if (organization !== null)
          await requireTimesheetAccess(call.engine, call.caller, { person: null, organization }, "read");
        const period = await readPeriod(call, parameters, ["week_of"]);
        const select = buildMemberSelection(incompleteTimesheet, parseFields(call.query));
        const incomplete = await loadIncompleteTimesheets(call.engine, call.caller, organization, period);
        return ok(incomplete.map(select));
      },
    },
    "GET /timesheets/day_totals": {
      scope: read,
      async handle(call) {
        const parameters = parseTimesheetQuery(call);
        const subject = parseSubject(parameters);
        await requireTimesheetAccess(call.engine, call.caller, subject, "read");
        if (subject.person === null) throw new BadRequest("Parameter 'person_id' is missing");
        const period = await readPeriod(call, parameters, periodUnits);
        return ok(await loadDayTotals(call.engine, call.caller, subject, period));
      },
    },
    "GET /timesheets/suggestions": {
      scope: read,
      async handle(call) {
        const period = await readPeriod(call, parseTimesheetQuery(call), ["week_of"]);
        const select = buildMemberSelection(timeSuggestion, parseFields(call.query));
        return ok((await suggestTime(call.engine, call.caller, period)).map(select));
      },
    },
    "POST /timesheets/lock": lockRoute(true),
    "DELETE /timesheets/lock": lockRoute(false),
  });
}

function renderTimesheet(api: Api, account: string, { person, workday, minutes, lockedDays }: Timesheet) {
  return {
    person: {
      id: person.id,
      name: person.name,
      ...(person.sourceID === null ? {} : { sourceID: person.sourceID }),
      ...(person.disabled ? { disabled: true as const } : {}),
      ...(person.account === account
        ? {}
        : { account: { id: person.account, name: api.identities.getAccountName(person.account) } }),
      nodeID: buildNodeId(api.domain, "Person", person.id),
    },
    workday,
    sum_time_spent: minutes,
    workdays: Math.round((minutes / workday) * 100) / 100,
    locked: !lockedDays.includes("0"),
    locked_days: lockedDays,
  };
}

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

const parseSubject = (parameters: TimesheetParameters): TimesheetSubject => ({
  person: parseId(parameters, "person_id"),
  organization: parseId(parameters, "organization_id"),
});

function requireSubject({ person, organization }: TimesheetSubject): void {
  if (person === null && organization === null) throw new BadRequest("Give 'organization_id', 'person_id' or both");
}

async function readPeriod(
  { engine, caller }: Call,
  parameters: TimesheetParameters,
  allowed: readonly PeriodUnit[],
): Promise<Period> {
  const [unit, ...others] = periodUnits.filter((name) => parameters.has(name));
  if (unit === undefined || others.length > 0 || !allowed.includes(unit))
    throw new BadRequest(`Give ${allowed.length > 1 ? "one of " : ""}${allowed.map((one) => `'${one}'`).join(", ")}`);
  return loadPeriod(engine, caller.account, unit, parseDate(parameters, unit));
}

function parseId(parameters: TimesheetParameters, name: string): number | null {
  const text = parameters.get(name);
  if (text === undefined) return null;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647)
    throw new BadRequest(`Invalid value for field '${name}'`);
  return Number(text);
}

function parseDate(parameters: TimesheetParameters, name: string): string {
  const text = parameters.get(name) ?? "";
  const moment = new Date(`${text}T00:00:00Z`);
  const isDate =
    /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().slice(0, 10) === text;
  if (!isDate) throw new BadRequest(`Invalid value for field '${name}'`);
  return text;
}
