import { isActive, isDone } from "../../../records/work/task-states.ts";

// What the tasks of a workflow or project say about it: WS1 to WS6, PH1 to PH3. No SQL in here.

export type TaskNode = {
  id: number;
  status: string;
  /** it was on somebody's desk at some time */
  wasAssigned: boolean;
  startAt: number | null;
  phase: number | null;
  predecessors: readonly number[];
  failureTask: number | null;
};

/** A task waits for what comes before it; not for the one that is there in case it fails itself, until it has. */
function createAwaitedLookup(steps: readonly TaskNode[]): (step: TaskNode) => readonly number[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  return ({ predecessors, failureTask }) =>
    predecessors.filter((id) => id !== failureTask || byId.get(id)?.status !== "registered");
}

/** PS12: tasks that are there in case another one fails, and what comes after those alone, as long as nobody needs them. */
export function findUnusedFailureTasks(steps: readonly TaskNode[]): ReadonlySet<number> {
  const awaited = createAwaitedLookup(steps);
  const rescuers = new Set(steps.map((step) => step.failureTask));
  const spares = new Set<number>();
  for (let found = -1; found !== spares.size; ) {
    found = spares.size;
    for (const step of steps) {
      if (step.status !== "registered" || step.wasAssigned) continue;
      const before = awaited(step);
      const isSpare = before.length === 0 ? rescuers.has(step.id) : before.every((id) => spares.has(id));
      if (isSpare) spares.add(step.id);
    }
  }
  return spares;
}

/** WS3 to WS6 */
export function calculateContainerStatus(steps: readonly TaskNode[], now: number): string {
  const spares = findUnusedFailureTasks(steps);
  const needed = steps.filter((step) => !spares.has(step.id));
  if (needed.length > 0 && needed.every((step) => isDone(step.status))) return "completed";
  const byId = new Map(steps.map((step) => [step.id, step]));
  const awaited = createAwaitedLookup(steps);
  const isUnderWay = steps.some((step) => step.status !== "registered" || step.wasAssigned);
  const waitsForItsStart = (step: TaskNode): boolean => {
    if (step.status !== "registered" || spares.has(step.id) || (step.startAt ?? now) <= now) return false;
    const before = awaited(step);
    return before.length === 0 ? isUnderWay : before.every((id) => isDone(byId.get(id)?.status ?? null));
  };
  if (steps.some((step) => isActive(step.status) || waitsForItsStart(step))) return "in_progress";
  return isUnderWay ? "progress_halted" : "registered";
}

/** PH1; a phase that has begun stays begun. */
export function calculatePhaseStatus(
  tasks: readonly TaskNode[],
  hasStarted: boolean,
): "registered" | "in_progress" | "completed" {
  if (tasks.length > 0 && tasks.every((task) => isDone(task.status))) return "completed";
  const left = tasks.some((task) => task.status !== "registered" && task.status !== "canceled");
  return hasStarted || left ? "in_progress" : "registered";
}
