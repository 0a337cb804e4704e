import type { Field } from "../../records/vocabulary/index.ts";
import { Invalid, type Problem } from "../base/errors.ts";
import { toIanaZone } from "../base/time-zones.ts";
import { getActiveTime } from "../business-time/active-time.ts";
import { type Moment, parseMoment } from "../business-time/moment.ts";
import { generateOccurrences, type Recurrence } from "../business-time/recurrence.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireRecord } from "../engine/find.ts";
import { getKind } from "../engine/kinds/index.ts";
import { Refusal } from "../engine/kinds/kind.ts";
import { completeRecurrence, type Recurrence as StoredRecurrence } from "../engine/kinds/recurrence-rule.ts";
import { readDatetime } from "../engine/kinds/time.ts";
import { parseCalendar, selectCalendar } from "../rules/time/calendar.ts";

// The next occurrences of an unsaved recurrence, as a preview while it is being edited.

const maxCount = 24;

export type Occurrences = { occurrences: readonly Moment[]; problems: readonly Problem[] };

/** For an incomplete rule, returns the problems instead of occurrences: it is read while it is being typed. */
export async function listOccurrences(
  engine: Engine,
  by: Caller,
  members: Readonly<Record<string, unknown>>,
): Promise<Occurrences> {
  // The declaration of workflow templates is known to the compiler, the register is not.
  const field = engine.types.get("workflow_template").fields.recurrence as Extract<Field, { kind: "recurrence" }>;
  const [from, count] = [readFrom(members.from, by), readCount(members.count)];
  const { recurrence } = members;
  if (typeof recurrence !== "object" || recurrence === null) throw new Invalid([["recurrence", "can't be blank"]]);
  let rule: StoredRecurrence;
  try {
    // A recurrence is an object, or it is refused.
    const given = getKind(field).read(recurrence, field, by) as Record<string, unknown>;
    const { value, problems } = completeRecurrence(field, given, by.accountRecord.time_zone);
    if (problems.length > 0) return { occurrences: [], problems: problems.map(toProblem) };
    rule = value;
  } catch (error) {
    if (error instanceof Refusal) return { occurrences: [], problems: [toProblem(error)] };
    throw error;
  }
  const zone = toIanaZone(rule.time_zone);
  const calendar = rule.calendar_id === null ? null : await loadHours(engine, by, rule.calendar_id, zone);
  const occurrences: Moment[] = [];
  // The kind of the field checked frequency and weekday index.
  for (const moment of generateOccurrences({ ...rule, zone, calendar } as unknown as Recurrence, from)) {
    occurrences.push(moment);
    if (occurrences.length === count) break;
  }
  return { occurrences, problems: [] };
}

const toProblem = ({ message, values }: Refusal): Problem => ["recurrence", message, values];

async function loadHours(engine: Engine, by: Caller, calendar: number, zone: string) {
  await requireRecord(engine, by, engine.types.get("calendar"), calendar, "read");
  const [row] = await engine.database.read(selectCalendar, [calendar]);
  return getActiveTime(parseCalendar(row), zone);
}

function readFrom(given: unknown, by: Caller): Moment {
  if (given === undefined || given === null || given === "") return by.now.getTime();
  try {
    return parseMoment(readDatetime(given, by));
  } catch (error) {
    if (error instanceof Refusal) throw new Invalid([["from", error.message, error.values]]);
    throw error;
  }
}

function readCount(given: unknown): number {
  if (given === undefined || given === null) return 6;
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1 || count > maxCount) throw new Invalid([["count", "is not valid"]]);
  return count;
}
