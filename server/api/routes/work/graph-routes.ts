import { graphOperations } from "../../../../records/answers/planning.ts";
import {
  type GraphTask,
  loadTaskGraph,
  type MoveRequest,
  type TaskGraph,
} from "../../../actions/task-plan/load-task-plan.ts";
import { BadRequest } from "../../../base/errors.ts";
import { type Moment, parseMoment } from "../../../business-time/moment.ts";
import type { Caller } from "../../../engine/caller.ts";
import { requireRecord } from "../../../engine/find.ts";
import { Refusal } from "../../../engine/kinds/kind.ts";
import { readDatetime } from "../../../engine/kinds/time.ts";
import type { ContainerType } from "../../../rules/task-graph/task-targets.ts";
import { parseRecordId } from "../../http/identifiers.ts";
import { formatMoment } from "../../http/moments.ts";
import type { Api } from "../../http/pipeline.ts";
import { type Call, ok, type Route } from "../../http/route.ts";
import { serve } from "../../operations/serve.ts";

/** GET /workflows/:id/graph and /projects/:id/graph: tasks in their order, with dates and what decides the end. */
export function graphRoutes({ engine, domain }: Api): Route[] {
  const graphOf = (container: ContainerType) => {
    const type = engine.types.get(container);
    return {
      scope: { type: type.scopeName, action: "Read" as const },
      async handle(call: Call) {
        const id = parseRecordId(call.params.id, type, domain);
        const account = await requireRecord(call.engine, call.caller, type, id, "read");
        const query = { engine: call.engine, by: call.caller, container, id, account };
        return ok(serialize(await loadTaskGraph(query, parseMove(call)), call.caller));
      },
    };
  };
  return serve(graphOperations, {
    "GET /workflows/:id/graph": graphOf("workflow"),
    "GET /projects/:id/graph": graphOf("project"),
  });
}

const find = ({ query }: Call, name: string): string | undefined => {
  const found = query.find((parameter) => parameter.name === name)?.value.trim();
  return found === "" ? undefined : found;
};

function parseMove(call: Call): MoveRequest | null {
  const task = find(call, "move");
  if (task === undefined) return null;
  if (!/^\d{1,10}$/.test(task)) throw new BadRequest("Parameter 'move' is not valid");
  const [start_at, end_at] = [parseParameter(call, "start_at"), parseParameter(call, "end_at")];
  if (start_at === null && end_at === null) throw new BadRequest("Parameter 'start_at' can't be blank");
  return { task: Number(task), start_at, end_at };
}

function parseParameter(call: Call, name: string): Moment | null {
  const text = find(call, name);
  if (text === undefined) return null;
  try {
    return parseMoment(readDatetime(text, call.caller));
  } catch (error) {
    if (error instanceof Refusal) throw new BadRequest(`Parameter '${name}' ${error.message}`);
    throw error;
  }
}

function serialize({ tasks, edges, phases, plan, windows, move }: TaskGraph, by: Caller) {
  const write = (moment: Moment) => formatMoment(moment, by);
  const writeKnown = (moment: Moment | null | undefined) => (moment == null ? null : write(moment));
  const planned = (task: GraphTask) => {
    const found = plan.tasks.get(task.id);
    return {
      ...task,
      start_at: task.start_at === null ? null : write(parseMoment(task.start_at)),
      starts_at: writeKnown(found?.start),
      ends_at: writeKnown(found?.end),
      conditional: found?.isConditional ?? false,
    };
  };
  const slack = tasks.flatMap(({ id }) => {
    const found = plan.tasks.get(id)?.slack ?? null;
    return found === null ? [] : [[String(id), found] as const];
  });
  return {
    tasks: tasks.map(planned),
    edges,
    critical: plan.critical,
    slack: Object.fromEntries(slack),
    phases,
    ends_at: writeKnown(plan.end),
    maintenance_windows: windows.map(({ name, tasks: affecting, from, until }) => ({
      name,
      starts_at: write(from),
      ends_at: write(until),
      tasks: affecting,
    })),
    move: move === null ? null : { ...move, start_at: write(move.start_at) },
  };
}
