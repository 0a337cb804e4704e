import type { EnumerationValue } from "../enumerations/index.ts";
import { clear, not, oneOf, type StateMove, savedAs, stamp, timeReaches, where } from "../vocabulary/index.ts";

// TK16 to TK18. The states that tasks and project tasks share.

/** over well: what comes after may begin */
export const successfulStates = ["completed", "approved", "canceled"] as const;
/** over badly */
export const failedStates = ["failed", "rejected"] as const;
/** the states in which a task or a project task is over */
export const finishedStates = [...failedStates, ...successfulStates] as const;
/** a person or a team has to act */
export const activeStates = [
  "declined",
  "assigned",
  "accepted",
  "in_progress",
  "waiting_for",
  "waiting_for_customer",
  "request_pending",
] as const;

/** TK4, TK5, T3, T7, for the states that a type has */
export function buildTaskMoves<const S extends TaskState>(states: readonly S[]): readonly StateMove<S | SharedState>[] {
  const has = (state: TaskState): state is S & (typeof activeStates)[number] =>
    (states as readonly TaskState[]).includes(state);
  const active: readonly S[] = activeStates.filter(has);
  // biome-ignore format: a table keeps its columns
  return [
    { from: ["registered", ...finishedStates], on: savedAs(...active),               do: [stamp("assigned_at"), "set the resolution duration"] },
    { from: "any",                             on: savedAs(...finishedStates),       do: [stamp("finished_at"), "set the resolution duration"] },
    { from: finishedStates,                    on: savedAs<S | "registered">("registered", ...active), do: [clear("finished_at"), "set the resolution duration"] },
    { from: "waiting_for",                     on: timeReaches("waiting_until"),     to: "assigned", do: [clear("waiting_until")] },
    { from: "registered",                      on: timeReaches("start_at"),          if: "nothing else holds it back", to: "assigned" },
  ];
}

/** the states that tasks and project tasks have in common and that the moves above name */
type SharedState = "registered" | "assigned" | "waiting_for" | (typeof finishedStates)[number];
type TaskState = EnumerationValue<"task.status">;
type ContainerState = "registered" | "in_progress" | "progress_halted" | "completed";

/** what consists of tasks: 9.3, 11.2 */
// biome-ignore format: a table keeps its columns
export const containerMoves: readonly StateMove<ContainerState>[] = [
  { from: "any",       on: savedAs("completed"),                                    do: [stamp("completed_at"), "set the resolution duration"] },
  { from: "completed", on: savedAs("registered", "in_progress", "progress_halted"), do: [clear("completed_at"), clear("completion_reason"), "set the resolution duration"] },
];

export const isFinished = (status: string | null): boolean => isOneOf(finishedStates, status);
export const isActive = (status: string | null): boolean => isOneOf(activeStates, status);
/** finished well: what comes after may begin */
export const isDone = (status: string | null): boolean => isOneOf(successfulStates, status);
/** failed or rejected */
export const isFailed = (status: string | null): boolean => isOneOf(failedStates, status);
const isOneOf = (states: readonly string[], status: string | null): boolean =>
  status !== null && states.includes(status);

/** the two views of everything that is worked on as a task */
export const finishedAndOpenViews = {
  finished: where({ status: oneOf(...finishedStates) }),
  open: where({ status: not(...finishedStates) }),
};

/** the two views of what consists of tasks: workflows, projects */
export const completedAndOpenViews = {
  completed: where({ status: "completed" }),
  open: where({ status: not("completed") }),
};

/** only what is completed leaves the active view */
export const archivableOnceCompleted = { when: { field: "status", is: ["completed"], message: "is not valid" } };
