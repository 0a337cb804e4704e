import { useQuery } from "@tanstack/react-query";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { moneySpent, workload } from "../../../records/answers/planning.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { GanttItem, Span } from "../../parts/gantt/item.ts";
import { type GraphTask, parseMoment, type TaskGraph } from "../../queries/task-graph.ts";
import { projectQueries } from "../../queries/work/projects.ts";
import { buildBars } from "../workflow/task-look.ts";
import type { Baseline } from "./use-baseline.ts";

// Figures of the project page, calculated from its tasks.

export type Phase = { id: number; name: string; status: string; tasks: readonly GraphTask[] };

/** Phases in order with their tasks by start; tasks without a phase come last, as a phase without a name. */
export function groupByPhase({ phases, tasks }: TaskGraph): Phase[] {
  const order = [...phases].sort((one, other) => (one.position ?? 1e9) - (other.position ?? 1e9) || one.id - other.id);
  const begin = ({ starts_at, ends_at }: GraphTask) => Date.parse(starts_at ?? ends_at ?? "9999-01-01");
  const isMilestone = ({ category }: GraphTask) => Number(category === "milestone");
  const sorted = [...tasks].sort(
    (one, other) => begin(one) - begin(other) || isMilestone(one) - isMilestone(other) || one.id - other.id,
  );
  const of = (phase: number | null) => sorted.filter((task) => task.phase === phase);
  const rest = of(null);
  return [
    ...order.map(({ id, name, status }) => ({ id, name, status, tasks: of(id) })),
    ...(rest.length === 0 ? [] : [{ id: 0, name: "", status: "", tasks: rest }]),
  ];
}

export const countDone = ({ tasks }: Phase): number => tasks.filter(({ status }) => isFinished(status)).length;

/** Rows of phases have negative numbers, because a task may have the number of a phase. */
export const phaseRow = (phase: number): number => -1 - phase;

/** Phases and their tasks as chart rows, without the tasks of collapsed phases. */
export function buildRows(
  graph: TaskGraph,
  phases: readonly Phase[],
  folded: ReadonlySet<number>,
  options: { mayChange: boolean; baseline: Baseline | null },
): GanttItem[] {
  const toRow = (task: GraphTask, bar: GanttItem): GanttItem => {
    const planned = options.baseline?.tasks[task.id];
    return {
      ...bar,
      kind: task.category === "milestone" ? "milestone" : "bar",
      mayResize:
        options.mayChange && task.category !== "milestone" && !isFinished(task.status) && task.starts_at !== null,
      ...(planned === undefined ? {} : { baseline: { start: planned[0], end: planned[1] } }),
    };
  };
  return phases.flatMap((phase): GanttItem[] => {
    const bars = buildBars(phase.tasks, graph, options.mayChange);
    const rows = phase.tasks.flatMap((task, at) => {
      const bar = bars[at];
      return bar === undefined ? [] : [toRow(task, bar)];
    });
    if (phase.id === 0) return rows;
    const moments = rows.flatMap(({ start, end }) => [start, end]).filter((at): at is number => at !== null);
    const head: GanttItem = {
      id: phaseRow(phase.id),
      name: phase.name,
      kind: "group",
      start: moments.length === 0 ? null : Math.min(...moments),
      end: moments.length === 0 ? null : Math.max(...moments),
      state: phase.status === "completed" ? "done" : phase.status === "in_progress" ? "active" : "waiting",
      predecessors: [],
    };
    return folded.has(phase.id) ? [head] : [head, ...rows];
  });
}

export type Milestone = { id: number; subject: string; deadline: number | null };

/** Milestones with their due dates. */
export function useMilestones(project: number): readonly Milestone[] {
  const { api } = useCurrentAccount();
  const { data = [] } = useQuery(projectQueries.milestones(api, project));
  return data.map(({ id, subject, deadline }) => ({ id, subject, deadline: parseMoment(deadline ?? null) }));
}

type MissedMilestone = Pick<Milestone, "id" | "subject"> & { end: number; limit: number; isDeadline: boolean };

/**
 * Milestones that a move would push past their deadline, or past their planned day if they have none; earliest first.
 */
export function listMissed(
  milestones: readonly Milestone[],
  { tasks }: TaskGraph,
  shifted: ReadonlyMap<number, Span>,
): MissedMilestone[] {
  const missed = milestones.flatMap(({ id, subject, deadline }) => {
    const end = shifted.get(id)?.end;
    const limit = deadline ?? parseMoment(tasks.find((task) => task.id === id)?.ends_at ?? null);
    return end !== undefined && limit !== null && end > limit
      ? [{ id, subject, end, limit, isDeadline: deadline !== null }]
      : [];
  });
  return missed.sort((one, other) => one.end - other.end);
}

const day = 86_400_000;

/** Days between the planned end and the last deadline; positive: late. Null: no deadline. */
export function countLateDays(milestones: readonly Milestone[], endsAt: string | null): number | null {
  const deadlines = milestones.flatMap(({ deadline }) => (deadline === null ? [] : [deadline]));
  if (deadlines.length === 0 || endsAt === null) return null;
  return Math.round((Date.parse(endsAt) - Math.max(...deadlines)) / day);
}

export type Workload = AnswerOf<typeof workload>;
export type MoneySpent = AnswerOf<typeof moneySpent>;

/** From the week of the first task to that of the last, at least a quarter. */
export function useWorkload(project: number, graph: TaskGraph | undefined) {
  const { api } = useCurrentAccount();
  const moments = (graph?.tasks ?? []).flatMap(({ starts_at, ends_at }) =>
    [starts_at, ends_at].flatMap((at) => (at === null ? [] : Date.parse(at))),
  );
  const first = moments.length === 0 ? Date.now() : Math.min(...moments);
  const last = Math.min(Math.max(...moments, first + 12 * 7 * day), first + 50 * 7 * day);
  const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
  const query = { from: toDay(first), until: toDay(last), every: "week" };
  return useQuery({ ...projectQueries.workload(api, project, query), enabled: graph !== undefined });
}
