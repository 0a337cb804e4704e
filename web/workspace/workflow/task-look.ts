import { isDone, isFailed, isFinished } from "../../../records/work/task-states.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { shortChoiceLabel } from "../../languages/labels.ts";
import type { GanttItem } from "../../parts/gantt/item.ts";
import { type GraphNode, indexNeighbours } from "../../parts/graph/graph.ts";
import { statusLabel } from "../../parts/work/status.tsx";
import type { GraphTask, TaskGraph } from "../../queries/task-graph.ts";

// A task of a workflow as a node of its graph, as a bar, and in words.

export function stateOf(status: string): GraphNode["state"] {
  if (status === "registered" || status === "canceled") return "waiting";
  if (isDone(status)) return "done";
  return isFailed(status) ? "failed" : "active";
}

const parse = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** "Work", "Risk", "Approval": what stands on a node. */
export const kindOf = ({ category, conditional }: GraphTask): string =>
  conditional ? t("workflow.onlyOnFailure") : shortChoiceLabel("task.category", category);

/** "Step 5 of 10: Approve night window, approval, assigned. After 4 and 3. Before 7." */
export function speakStep(task: GraphTask, { edges }: TaskGraph, order: readonly number[]): string {
  const { before, after } = indexNeighbours(edges)(task.id);
  const steps = (ids: readonly number[]) =>
    new Intl.ListFormat(currentLocale()).format(ids.map((id) => String(order.indexOf(id) + 1)));
  return [
    t("workflow.spoken.step", {
      step: order.indexOf(task.id) + 1,
      count: order.length,
      subject: task.subject,
      kind: kindOf(task),
      status: statusLabel("task", task.status),
    }),
    before.length === 0 ? t("workflow.spoken.first") : t("workflow.spoken.after", { steps: steps(before) }),
    ...(after.length === 0 ? [] : [t("workflow.spoken.before", { steps: steps(after) })]),
  ].join(" ");
}

export const toNode = (task: GraphTask, graph: TaskGraph, order: readonly number[]): GraphNode => ({
  id: task.id,
  spoken: speakStep(task, graph, order),
  state: stateOf(task.status),
  isConditional: task.conditional,
});

export function toBar(task: GraphTask, graph: TaskGraph, mayChange: boolean): GanttItem {
  const isOpen = mayChange && !isFinished(task.status);
  return {
    id: task.id,
    name: task.subject,
    start: parse(task.starts_at),
    end: parse(task.ends_at),
    kind: "bar",
    state: stateOf(task.status),
    predecessors: indexNeighbours(graph.edges)(task.id).before,
    isCritical: graph.critical.includes(task.id),
    isConditional: task.conditional,
    mayMove: isOpen && task.starts_at !== null && !task.conditional,
    mayResize: isOpen && task.starts_at !== null && !task.conditional,
  };
}

/** "Order switches → Test → Order switches" */
export const nameCircle = ({ tasks }: TaskGraph, path: readonly number[]): string =>
  [...path, path[0]].map((id) => tasks.find((task) => task.id === id)?.subject ?? "").join(" → ");
