import { not, oneOf, where } from "../vocabulary/index.ts";

/** the states in which a task or a project task is over, well or badly */
const finishedStates = ["failed", "rejected", "completed", "approved", "canceled"] as const;

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
