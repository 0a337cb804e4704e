import { isActive, isDone } from "../../../records/work/task-states.ts";

// The status of a workflow, a project or a phase, derived from its tasks: WS1 to WS6, PH1 to PH3. Pure, without SQL.

export type TaskNode = {
  id: number;
  status: string;
  /** it has been assigned at some time, regardless of its current status */
  wasAssigned: boolean;
  startAt: number | null;
  phase: number | null;
  predecessors: readonly number[];
  failureTask: number | null;
};
export type ContainerStatus = "registered" | "in_progress" | "progress_halted" | "completed";

/** A task does not wait for a predecessor that is its own failure task, as long as that one is not in use. */
function createAwaitedLookup(tasks: readonly TaskNode[]): (task: TaskNode) => readonly number[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return ({ predecessors, failureTask }) =>
    predecessors.filter((id) => id !== failureTask || byId.get(id)?.status !== "registered");
}

/** PS12: failure tasks of tasks that have not failed, and the tasks that come after such failure tasks only. */
export function findUnusedFailureTasks(tasks: readonly TaskNode[]): ReadonlySet<number> {
  const listAwaited = createAwaitedLookup(tasks);
  const failureTasks = new Set(tasks.map((task) => task.failureTask));
  const unused = new Set<number>();
  for (let previousSize = -1; previousSize !== unused.size; ) {
    previousSize = unused.size;
    for (const task of tasks) {
      if (task.status !== "registered" || task.wasAssigned) continue;
      const awaited = listAwaited(task);
      const isUnused = awaited.length === 0 ? failureTasks.has(task.id) : awaited.every((id) => unused.has(id));
      if (isUnused) unused.add(task.id);
    }
  }
  return unused;
}

/** WS3 to WS6 */
export function calculateContainerStatus(tasks: readonly TaskNode[], now: number): ContainerStatus {
  const unused = findUnusedFailureTasks(tasks);
  const needed = tasks.filter((task) => !unused.has(task.id));
  if (needed.length > 0 && needed.every((task) => isDone(task.status))) return "completed";
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const listAwaited = createAwaitedLookup(tasks);
  const hasStarted = tasks.some((task) => task.status !== "registered" || task.wasAssigned);
  const waitsForItsStart = (task: TaskNode): boolean => {
    if (task.status !== "registered" || unused.has(task.id) || (task.startAt ?? now) <= now) return false;
    const awaited = listAwaited(task);
    return awaited.length === 0 ? hasStarted : awaited.every((id) => isDone(byId.get(id)?.status ?? null));
  };
  if (tasks.some((task) => isActive(task.status) || waitsForItsStart(task))) return "in_progress";
  return hasStarted ? "progress_halted" : "registered";
}

/** Whether a task makes its phase start. */
export const isStartingPhase = ({ status }: TaskNode): boolean => status !== "registered" && status !== "canceled";

/** PH1; a phase that has started never becomes registered again. */
export function calculatePhaseStatus(
  tasks: readonly TaskNode[],
  hasStarted: boolean,
): "registered" | "in_progress" | "completed" {
  if (tasks.length > 0 && tasks.every((task) => isDone(task.status))) return "completed";
  return hasStarted || tasks.some(isStartingPhase) ? "in_progress" : "registered";
}
