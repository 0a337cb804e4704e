import { BadRequest, Invalid, type Problem } from "../../../base/errors.ts";
import { parseZone } from "../../../base/time-zones.ts";
import { getActiveTime } from "../../../business-time/active-time.ts";
import { type Moment, parseMoment } from "../../../business-time/moment.ts";
import type { Caller } from "../../../engine/caller.ts";
import { requireRecord } from "../../../engine/find.ts";
import { Refusal, scalar } from "../../../engine/kinds/kind.ts";
import { readDatetime } from "../../../engine/kinds/time.ts";
import { parseCalendar, selectCalendar } from "../../../rules/time/calendar.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";

// CV33, GET /calendars/:id/duration: how many minutes of the calendar lie between two moments.

export function calendarRoutes(api: Api): Route[] {
  return [
    {
      method: "GET",
      path: "/calendars/:id/duration",
      scope: { type: "calendar", action: "Read" },
      takesBody: true,
      async handle(call) {
        const type = call.engine.types.get("calendar");
        const id = parseRecordId(call.params.id, type, api.domain);
        // Whether there is such a calendar, and whether it is for this person, comes before what is wrong with the question.
        await requireRecord(call.engine, call.caller, type, id, "read");
        const { start, end, zone } = await parseDurationQuery(call);
        const [row] = await call.engine.database.read(selectCalendar, [id]);
        return ok(String(getActiveTime(parseCalendar(row), zone).minutesBetween(start, end)));
      },
    },
  ];
}

type DurationQuery = { start: Moment; end: Moment; zone: string };

/** What is wrong in the body is a 422 that names all of it, what is wrong in the query a 400. */
async function parseDurationQuery(call: Call): Promise<DurationQuery> {
  const { members } = await call.body();
  const isFromQuery = (name: string) =>
    call.query.some((parameter) => parameter.name === name && parameter.value === members[name]);
  const hasBody = Object.keys(members).some((name) => !isFromQuery(name));
  const problems: Problem[] = [];
  const read = <Value>(name: string, otherwise: Value, value: (given: unknown) => Value): Value => {
    try {
      return value(members[name]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isFromQuery(name) || !hasBody) throw new BadRequest(`Parameter '${name}' ${error.message}`);
      problems.push([name, error.message, error.values]);
      return otherwise;
    }
  };
  const question = {
    start: read("start", 0, (given) => readMoment(given, call.caller)),
    end: read("end", 0, (given) => readMoment(given, call.caller)),
    zone: read("time_zone", "", readZone),
  };
  if (problems.length > 0) throw new Invalid(problems);
  return question;
}

const isBlank = (given: unknown): boolean => given === undefined || given === null || given === "";

function readMoment(given: unknown, by: Caller): Moment {
  if (isBlank(given)) throw new Refusal("can't be blank");
  return parseMoment(readDatetime(given, by));
}

/** The very zone that was named, not the one of the enumeration nearest to it: nothing of it is stored. */
function readZone(given: unknown): string {
  const zone = isBlank(given) ? "Etc/UTC" : parseZone(scalar(given, "is not a valid time zone").trim());
  if (zone === null) throw new Refusal("is not a valid time zone");
  return zone;
}
