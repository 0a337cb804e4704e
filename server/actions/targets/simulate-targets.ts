import { Forbidden, Invalid, type Problem } from "../../base/errors.ts";
import { parseMoment } from "../../business-time/moment.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import { createInTransaction } from "../../engine/create.ts";
import { rollBackAfter } from "../../engine/dry-run.ts";
import type { Engine } from "../../engine/engine.ts";
import { Refusal } from "../../engine/kinds/kind.ts";
import { readDatetime } from "../../engine/kinds/time.ts";
import { updateInTransaction } from "../../engine/update.ts";
import type { Body } from "../../engine/write/input.ts";
import { explainTargets } from "./explain-targets.ts";
import type { Explanation } from "./explanation.ts";

// A request that is registered and handled at given moments, by the code that handles any other, and rolled back: the
// explanation of its targets is therefore the one that such a request would get.

const maxEvents = 100;
const requestMembers = ["requested_for_id", "service_instance_id", "category", "impact", "template_id"];
const eventMembers = ["status", "impact"];

type SimulatedEvent = { at: Date; members: Record<string, unknown> };
type Simulation = { at: Date; members: Record<string, unknown>; events: SimulatedEvent[] };

/** The explanation of the targets of such a request, for callers who may read agreements. */
export async function simulateTargets(engine: Engine, by: Caller, body: Body): Promise<Explanation[]> {
  if (!hasAnyGrant(engine.types.get("affected_sla"), "read", by)) throw new Forbidden();
  const { at, members, events } = readSimulation(body, by);
  const type = engine.types.get("request");
  return rollBackAfter(engine, by.zone, async ({ engine: temporary, tx }) => {
    const actAt = (now: Date) => ({ engine: temporary, tx, by: { ...by, now, suppressMail: true as const }, type });
    const { id } = await createInTransaction(actAt(at), { members: { subject: "-", ...members } });
    for (const event of events)
      await updateInTransaction(actAt(event.at), id, { members: await completeEvent(event, tx, id, by.account) });
    const last = events.at(-1)?.at ?? at;
    return explainTargets({
      engine: temporary,
      by: { ...by, now: last },
      source: tx,
      request: id,
      account: by.account,
    });
  });
}

function readSimulation({ members }: Body, by: Caller): Simulation {
  const problems: Problem[] = [];
  const readMoment = (given: unknown, fallback: Date): Date => {
    if (given === undefined || given === null || given === "") return fallback;
    try {
      return new Date(parseMoment(readDatetime(given, by)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(["at", error.message, error.values]);
      return fallback;
    }
  };
  const at = readMoment(members.at, by.now);
  const list = members.events ?? [];
  const isEventList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.every((event) => typeof event === "object" && event !== null);
  if (!isEventList(list)) throw new Invalid([["events", "is not a valid list"]]);
  if (list.length > maxEvents)
    throw new Invalid([["events", "has too many entries (maximum is {max})", { max: maxEvents }]]);
  const events = list.map((event): SimulatedEvent => {
    return { at: readMoment(event.at, at), members: pickMembers(event, eventMembers) };
  });
  if (events.some((event, index) => event.at < (events[index - 1]?.at ?? at)))
    problems.push(["events", "is not valid"]);
  if (problems.length > 0) throw new Invalid(problems);
  return { at, members: pickMembers(members, requestMembers), events };
}

const pickMembers = (members: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));

const selectTeamMember = statement(
  "SELECT m.person_id FROM requests r JOIN team_members m ON m.team_id = r.team_id WHERE r.id = $1 AND r.account_id = $2 ORDER BY m.person_id LIMIT 1",
);

/** Fields that saving such a status requires, and that do not move a clock. */
async function completeEvent(
  { at, members }: SimulatedEvent,
  tx: Transaction,
  request: number,
  account: string,
): Promise<Record<string, unknown>> {
  const { status } = members;
  if (status === "waiting_for") return { ...members, waiting_until: new Date(at.getTime() + 86_400_000).toISOString() };
  if (status === "completed") return { ...members, note: "-" };
  if (status !== "accepted" && status !== "in_progress") return members;
  const [row] = await tx.query(selectTeamMember, [request, account]);
  return row === undefined ? members : { ...members, member_id: Number(row[0]) };
}
