import { clear, type Move, not, oneOf, savedAs, stamp, timeReaches, where } from "../vocabulary/index.ts";

// Reference: lifecycles.md 5.1. What a task can be is told here once, for tasks and project tasks.

/** over well: what comes after may begin */
export const goodStates: readonly string[] = ["completed", "approved", "canceled"];
/** over badly */
export const badStates: readonly string[] = ["failed", "rejected"];
/** the states in which a task or a project task is over */
export const finishedStates: readonly string[] = [...badStates, ...goodStates];
/** somebody has it on the desk */
export const activeStates: readonly string[] = [
  "declined",
  "assigned",
  "accepted",
  "in_progress",
  "waiting_for",
  "waiting_for_customer",
  "request_pending",
];

/** TK4, TK5, T3, T7, for the states that a type has */
export function movesOfTasks(states: readonly string[]): readonly Move[] {
  const active = activeStates.filter((state) => states.includes(state));
  // biome-ignore format: a table keeps its columns
  return [
    { from: ["registered", ...finishedStates], on: savedAs(...active),               do: [stamp("assigned_at"), "tell how long it took"] },
    { from: "any",                             on: savedAs(...finishedStates),       do: [stamp("finished_at"), "tell how long it took"] },
    { from: finishedStates,                    on: savedAs("registered", ...active), do: [clear("finished_at"), "tell how long it took"] },
    { from: "waiting_for",                     on: timeReaches("waiting_until"),     to: "assigned", do: [clear("waiting_until")] },
    { from: "registered",                      on: timeReaches("start_at"),          if: "nothing else holds it back", to: "assigned" },
  ];
}

/** what consists of tasks: 9.3, 11.2 */
// biome-ignore format: a table keeps its columns
export const movesOfContainers: readonly Move[] = [
  { from: "any",       on: savedAs("completed"),                                    do: [stamp("completed_at"), "tell how long it took"] },
  { from: "completed", on: savedAs("registered", "in_progress", "progress_halted"), do: [clear("completed_at"), clear("completion_reason"), "tell how long it took"] },
];

/** the two views of everything that is worked on as a task */
export const finishedAndOpen = {
  finished: where({ status: oneOf(...finishedStates) }),
  open: where({ status: not(...finishedStates) }),
};

/** the two views of what consists of tasks: workflows, projects */
export const completedAndOpen = {
  completed: where({ status: "completed" }),
  open: where({ status: not("completed") }),
};

/** only what is completed leaves the active view */
export const archivableOnceCompleted = { when: { field: "status", is: ["completed"], message: "is not valid" } };
