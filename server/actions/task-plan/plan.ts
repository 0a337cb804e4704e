import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { graphEdge } from "../../../records/answers/planning.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { type Moment, minute } from "../../business-time/moment.ts";
import {
  calculateCompletionTarget,
  findLatest,
  type TaskFacts,
  type TaskTargets,
} from "../../rules/task-graph/task-targets.ts";

// When the tasks of a workflow or a project run, which of them decide the end, and how much later the others may end.

export type PlanEdge = AnswerOf<typeof graphEdge>;
type Span = { start: Moment | null; end: Moment | null };
export type TaskPlan = Span & {
  /** nothing but a failure leads to it, and there has been none */
  isConditional: boolean;
  /** minutes by which it may end later; null where it is over, not planned, or may never run */
  slack: number | null;
};
export type Plan = { tasks: ReadonlyMap<number, TaskPlan>; critical: readonly number[]; end: Moment | null };

type PlannedTask = TaskFacts & { failure_task: number | null };

const span = (task: TaskFacts, { anticipated_assignment_at, completion_target_at }: TaskTargets): Span => {
  // A task that was canceled before it began took no time.
  if (task.status === "canceled" && task.assigned_at === null) return { start: null, end: null };
  if (isFinished(task.status)) return { start: task.assigned_at ?? task.finished_at, end: task.finished_at };
  if (task.status === "registered") return { start: anticipated_assignment_at, end: completion_target_at };
  return { start: findLatest([task.assigned_at, task.start_at]), end: completion_target_at };
};

export const listEdges = (tasks: readonly PlannedTask[]): PlanEdge[] =>
  tasks.flatMap(({ id, predecessors, failure_task }): PlanEdge[] => [
    ...predecessors.map((from): PlanEdge => ({ from, to: id, kind: "next" })),
    ...(failure_task === null ? [] : [{ from: id, to: failure_task, kind: "failure" as const }]),
  ]);

/** Predecessors form no cycle; if they did, it would be cut where it is first met. */
export function buildPlan(tasks: readonly PlannedTask[], targets: ReadonlyMap<number, TaskTargets>): Plan {
  const failing = new Map<number, PlannedTask[]>();
  for (const task of tasks)
    if (task.failure_task !== null) failing.set(task.failure_task, [...(failing.get(task.failure_task) ?? []), task]);
  const isConditional = ({ id, status, predecessors }: PlannedTask) =>
    status === "registered" && predecessors.length === 0 && failing.has(id);
  const spans = new Map<number, Span>();
  for (const task of tasks) {
    const found = targets.get(task.id);
    spans.set(task.id, found === undefined ? { start: null, end: null } : span(task, found));
  }
  // A failure task would begin when the latest of the tasks that need it is over.
  for (const task of tasks.filter(isConditional)) {
    const start = findLatest((failing.get(task.id) ?? []).map(({ id }) => spans.get(id)?.end ?? null));
    spans.set(task.id, { start, end: calculateCompletionTarget(task, start) });
  }
  const certain = tasks.filter((task) => !isConditional(task));
  const done = certain.filter(({ status }) => status !== "canceled");
  const end = findLatest(done.map(({ id }) => spans.get(id)?.end ?? null));
  const slack = calculateSlack(certain, spans, end);
  return {
    end,
    critical: findCritical(certain, spans, end),
    tasks: new Map(
      tasks.map((task) => [
        task.id,
        {
          ...(spans.get(task.id) ?? { start: null, end: null }),
          isConditional: isConditional(task),
          slack: isFinished(task.status) ? null : (slack.get(task.id) ?? null),
        },
      ]),
    ),
  };
}

/** From the task that ends last back to the start, each time to the predecessor that ends last. */
function findCritical(
  tasks: readonly PlannedTask[],
  spans: ReadonlyMap<number, Span>,
  end: Moment | null,
): readonly number[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const endOf = ({ id }: PlannedTask) => spans.get(id)?.end ?? null;
  const path: number[] = [];
  let task = end === null ? undefined : tasks.find((each) => endOf(each) === end);
  while (task !== undefined && !path.includes(task.id)) {
    path.unshift(task.id);
    const before = task.predecessors.flatMap((id) => byId.get(id) ?? []);
    const latest = findLatest(before.map(endOf));
    task = before.find((each) => endOf(each) === latest);
  }
  return path;
}

/** How much later a task may end: as much as what follows may, and the time that passes in between. */
function calculateSlack(
  tasks: readonly PlannedTask[],
  spans: ReadonlyMap<number, Span>,
  end: Moment | null,
): ReadonlyMap<number, number> {
  const successors = new Map<number, number[]>();
  for (const { id, predecessors } of tasks)
    for (const before of predecessors) successors.set(before, [...(successors.get(before) ?? []), id]);
  const known = new Map<number, number | null>();
  const find = (id: number): number | null => {
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, null);
    const own = spans.get(id)?.end ?? null;
    if (own === null || end === null) return null;
    const later = (successors.get(id) ?? []).flatMap((next) => {
      const [start, more] = [spans.get(next)?.start ?? null, find(next)];
      return start === null || more === null ? [] : [more + Math.max(0, start - own)];
    });
    const slack = Math.min(end - own, ...later);
    known.set(id, slack);
    return slack;
  };
  return new Map(
    tasks.flatMap(({ id }) => {
      const slack = find(id);
      return slack === null ? [] : [[id, Math.floor(slack / minute)] as const];
    }),
  );
}
