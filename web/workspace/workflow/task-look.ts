import { isDone, isFailed, isFinished } from "../../../records/work/task-states.ts";
import { type GraphNode, indexNeighbors, type Neighbors } from "../../base/graph.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { shortChoiceLabel } from "../../languages/labels.ts";
import type { GanttItem, GanttMark } from "../../parts/gantt/item.ts";
import { statusLabel } from "../../parts/work/status.tsx";
import { type GraphTask, parseMoment, type TaskGraph } from "../../queries/task-graph.ts";

// A task of a workflow as a node of its graph, as a bar, and in words.

export function getNodeState(status: string): GraphNode["state"] {
  if (status === "registered" || status === "canceled") return "waiting";
  if (isDone(status)) return "done";
  return isFailed(status) ? "failed" : "active";
}

/** "Work", "Risk", "Approval": the kind shown on a node. */
export const nameKind = ({ category, conditional }: GraphTask): string =>
  conditional ? t("workflow.onlyOnFailure") : shortChoiceLabel("task.category", category);

/** "Step 5 of 10, assigned. After 4 and 3. Before 7." */
function speakStep(
  task: GraphTask,
  { before, after }: Neighbors,
  places: ReadonlyMap<number, number>,
  list: Intl.ListFormat,
): string {
  const steps = (ids: readonly number[]) => list.format(ids.map((id) => String(places.get(id))));
  return [
    t("workflow.spoken.step", {
      step: places.get(task.id) ?? 0,
      count: places.size,
      status: statusLabel("task", task.status),
    }),
    before.length === 0 ? t("workflow.spoken.first") : t("workflow.spoken.after", { steps: steps(before) }),
    ...(after.length === 0 ? [] : [t("workflow.spoken.before", { steps: steps(after) })]),
  ].join(" ");
}

/** The tasks in order as nodes. */
export function buildNodes(tasks: readonly GraphTask[], { edges }: TaskGraph): GraphNode[] {
  const neighbors = indexNeighbors(edges);
  const places = new Map(tasks.map(({ id }, at) => [id, at + 1]));
  const list = new Intl.ListFormat(currentLocale());
  return tasks.map((task) => ({
    id: task.id,
    spoken: speakStep(task, neighbors(task.id), places, list),
    state: getNodeState(task.status),
    isConditional: task.conditional,
  }));
}

export const isMovable = (task: GraphTask, mayChange: boolean): boolean =>
  mayChange && !isFinished(task.status) && task.starts_at !== null && !task.conditional;

/** The tasks in order as bars. */
export function buildBars(
  tasks: readonly GraphTask[],
  { edges, critical }: TaskGraph,
  mayChange: boolean,
): GanttItem[] {
  const neighbors = indexNeighbors(edges);
  const deciding = new Set(critical);
  return tasks.map((task) => ({
    id: task.id,
    name: task.subject,
    start: parseMoment(task.starts_at),
    end: parseMoment(task.ends_at),
    kind: "bar",
    state: task.status === "canceled" ? "canceled" : getNodeState(task.status),
    predecessors: neighbors(task.id).before,
    isBegun: task.status === "in_progress",
    isCritical: deciding.has(task.id),
    isConditional: task.conditional,
    mayMove: isMovable(task, mayChange),
    mayResize: isMovable(task, mayChange),
  }));
}

/** The maintenance windows as bands; simultaneous ones are merged. */
export function buildWindowMarks({ maintenance_windows }: TaskGraph): GanttMark[] {
  const windows = Map.groupBy(maintenance_windows, ({ starts_at, ends_at }) => `${starts_at} ${ends_at}`);
  return [...windows].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const names = new Set([first, ...others].map(({ name }) => name));
    return [{ key, start: Date.parse(first.starts_at), end: Date.parse(first.ends_at), label: [...names].join(", ") }];
  });
}

/** The window for a task: the first one open when it begins, or later. */
export function pickWindow({ maintenance_windows }: TaskGraph, task: GraphTask, now: number) {
  const from = Math.max(now, parseMoment(task.starts_at) ?? now);
  return maintenance_windows.find(({ tasks, ends_at }) => tasks.includes(task.id) && Date.parse(ends_at) > from);
}

/** Steps by their names. */
export type NamedSteps = { tasks: readonly Pick<GraphTask, "id" | "subject">[] };

/** "Order switches → Test → Order switches" */
export const nameCircle = ({ tasks }: NamedSteps, path: readonly number[]): string =>
  [...path, path[0]].map((id) => tasks.find((task) => task.id === id)?.subject ?? "").join(" → ");
