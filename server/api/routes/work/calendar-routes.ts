import { calendarOperations } from "../../../../records/answers/calendars.ts";
import { type DurationQuery, loadCalendarMinutes } from "../../../actions/calendar-duration.ts";
import { BadRequest, Invalid, type Problem } from "../../../base/errors.ts";
import { parseZone } from "../../../base/time-zones.ts";
import { type Moment, parseMoment } from "../../../business-time/moment.ts";
import type { Caller } from "../../../engine/caller.ts";
import { requireRecord } from "../../../engine/find.ts";
import { Refusal, scalar } from "../../../engine/kinds/kind.ts";
import { readDatetime } from "../../../engine/kinds/time.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

// CV33, GET /calendars/:id/duration

export function calendarRoutes(api: Api): Route[] {
  return serve(calendarOperations, {
    "GET /calendars/:id/duration": {
      scope: { type: "calendar", action: "Read" },
      takesBody: true,
      async handle(call) {
        const type = call.engine.types.get("calendar");
        const id = parseRecordId(call.params.id, type, api.domain);
        // 404 and 403 come before what is wrong with the parameters.
        await requireRecord(call.engine, call.caller, type, id, "read");
        return ok(await loadCalendarMinutes(call.engine, id, await parseDurationQuery(call)));
      },
    },
  });
}

/** Mistakes in the body are one 422 that names all of them, a mistake in the query is a 400. */
async function parseDurationQuery(call: Call): Promise<DurationQuery> {
  const { members } = await call.body();
  const isFromQuery = (name: string) =>
    call.query.some((parameter) => parameter.name === name && parameter.value === members[name]);
  const hasBody = Object.keys(members).some((name) => !isFromQuery(name));
  const problems: Problem[] = [];
  const read = <Value>(name: string, fallback: Value, parse: (given: unknown) => Value): Value => {
    try {
      return parse(members[name]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isFromQuery(name) || !hasBody) throw new BadRequest(`Parameter '${name}' ${error.message}`);
      problems.push([name, error.message, error.values]);
      return fallback;
    }
  };
  const query = {
    start: read("start", 0, (given) => readMoment(given, call.caller)),
    end: read("end", 0, (given) => readMoment(given, call.caller)),
    zone: read("time_zone", "", readZone),
  };
  if (problems.length > 0) throw new Invalid(problems);
  return query;
}

const isBlank = (given: unknown): boolean => given === undefined || given === null || given === "";

function readMoment(given: unknown, by: Caller): Moment {
  if (isBlank(given)) throw new Refusal("can't be blank");
  return parseMoment(readDatetime(given, by));
}

/** Any IANA zone: nothing is stored, so it need not be one of the enumeration. */
function readZone(given: unknown): string {
  const zone = isBlank(given) ? "Etc/UTC" : parseZone(scalar(given, "is not a valid time zone").trim());
  if (zone === null) throw new Refusal("is not a valid time zone");
  return zone;
}
