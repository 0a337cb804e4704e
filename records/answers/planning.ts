import {
  answer,
  boolean,
  date,
  datetime,
  defaultsTo,
  float,
  integer,
  list,
  map,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  word,
} from "../vocabulary/index.ts";

// Workflows and projects as graphs of tasks with dates, and the work that is planned for people.

const minutes = orNull(integer({ min: 0 }));

/** The facts of a task that a person reads on its node. */
const taskFacts = {
  id: integer(),
  subject: string(),
  category: string(),
  status: string(),
  impact: noted("Null for tasks of projects.", orNull(string())),
  team: orNull(named),
  assignees: noted("The member of a task, or the assignees of a project task.", list(named)),
  phase: orNull(integer()),
  failure_task: orNull(integer()),
  planned_duration: minutes,
  planned_effort: minutes,
  start_at: orNull(datetime),
  approvals: noted("Only for approval tasks.", orNull(object({ given: integer(), needed: integer() }))),
  approval_asked: noted(
    "The caller's approval is requested, either for themselves or on behalf of an absent approver.",
    boolean,
  ),
};
export const graphTaskFacts = object(taskFacts);
export const graphTask = object({
  ...taskFacts,
  starts_at: noted("When the task started or will start; null: not known yet.", orNull(datetime)),
  ends_at: noted("When the task ended or will end.", orNull(datetime)),
  conditional: noted("The task starts only if another task fails, and none has failed.", boolean),
});
export const graphPhase = object({ id: integer(), name: string(), status: string(), position: orNull(integer()) });
export const graphEdge = object({ from: integer(), to: integer(), kind: word("next", "failure") });

export const taskGraph = answer("TaskGraph", {
  tasks: noted("The tasks that the caller can read.", list(graphTask)),
  edges: list(graphEdge),
  critical: noted("The ids of the tasks on the critical path, in order.", list(integer())),
  slack: noted(
    "Slack in minutes by task id: how much later an open task can end without delaying the overall end.",
    map(integer()),
  ),
  phases: list(graphPhase),
  ends_at: noted("When the last task ends.", orNull(datetime)),
  maintenance_windows: noted(
    "The maintenance windows of the service instances that the tasks affect, in chronological order. Empty for projects.",
    list(
      object({
        name: noted("The name of the calendar.", string()),
        starts_at: datetime,
        ends_at: datetime,
        tasks: noted("The ids of the tasks the window applies to.", list(integer())),
      }),
    ),
  ),
  move: noted(
    "With `move`: the values to save in order to move the task. `planned_duration` is null if it doesn't change.",
    orNull(object({ task: integer(), start_at: datetime, planned_duration: minutes })),
  ),
});

const graphOperation = {
  description:
    "Returns the order of the tasks, their dates, and the critical path. Nothing is saved, even with `move`.",
  query: {
    move: noted(
      "The id of a task to move. The response contains the dates all tasks would have after the move.",
      optional(integer()),
    ),
    start_at: noted("The new start of the moved task.", optional(datetime)),
    end_at: noted(
      "The new end of the moved task; its planned duration is derived from the work hours.",
      optional(datetime),
    ),
  },
  answer: taskGraph,
  answers: "The tasks, edges and dates.",
} as const;

export const moneySpent = object({
  currency: string(),
  effort: noted("Cost of time entries on the project's tasks, at the rates of the people.", float),
  purchases: noted("Total of the project's invoices.", float),
});
const weekMinutes = (note: string) => noted(note, integer({ min: 0 }));

export const workload = answer("Workload", {
  weeks: noted("Mondays.", list(date)),
  people: list(
    object({
      person: named,
      weeks: list(
        object({
          planned: weekMinutes("Minutes planned for the project or team."),
          other: weekMinutes("Minutes planned for other work."),
          available: weekMinutes("Minutes available: the workdays of the week, minus absences."),
        }),
      ),
    }),
  ),
  time_spent: noted("Minutes registered on the project's tasks.", orNull(integer())),
  money_spent: noted(
    "The cost of the project, by currency; null for teams and for callers who can't read the costs of time entries and invoices.",
    orNull(list(moneySpent)),
  ),
});

const workloadOperation = {
  description:
    "Distributes the planned effort of tasks over the weekdays between their start and their target. Available to people who can read all tasks.",
  query: {
    from: noted("Any day of the first week; default: today.", optional(date)),
    until: noted("Any day of the last week, at most 60 weeks later.", optional(date)),
    every: defaultsTo("week", word("week")),
  },
  answer: workload,
  answers: "Minutes per person and week.",
} as const;

export const graphOperations = operations({
  "GET /workflows/:id/graph": {
    id: "getGraphOfWorkflow",
    summary: "Retrieve the task graph of a workflow",
    ...graphOperation,
  },
  "GET /projects/:id/graph": {
    id: "getGraphOfProject",
    summary: "Retrieve the plan of a project",
    ...graphOperation,
  },
});

export const workloadOperations = operations({
  "GET /projects/:id/workload": {
    id: "getWorkloadOfProject",
    summary: "Retrieve the weekly workload of a project",
    ...workloadOperation,
  },
  "GET /teams/:id/workload": {
    id: "getWorkloadOfTeam",
    summary: "Retrieve the weekly workload of a team",
    ...workloadOperation,
  },
});
