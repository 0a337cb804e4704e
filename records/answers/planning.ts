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
  assignees: noted("The member of a task, the assignees of a project task.", list(named)),
  phase: orNull(integer()),
  failure_task: orNull(integer()),
  planned_duration: minutes,
  planned_effort: minutes,
  start_at: orNull(datetime),
  approvals: noted("Approval tasks only.", orNull(object({ given: integer(), needed: integer() }))),
  approval_asked: noted("The caller is asked to approve it, for themselves or for an absent approver.", boolean),
};
export const graphTaskFacts = object(taskFacts);
export const graphTask = object({
  ...taskFacts,
  starts_at: noted("When it began or will begin; null: not known yet.", orNull(datetime)),
  ends_at: noted("When it ended or will end.", orNull(datetime)),
  conditional: noted("Only a failure leads to it, and there has been none.", boolean),
});
export const graphPhase = object({ id: integer(), name: string(), status: string(), position: orNull(integer()) });
export const graphEdge = object({ from: integer(), to: integer(), kind: word("next", "failure") });

export const taskGraph = answer("TaskGraph", {
  tasks: noted("The tasks that the caller may read.", list(graphTask)),
  edges: list(graphEdge),
  critical: noted("The tasks that decide the end, in their order.", list(integer())),
  slack: noted("Minutes by which an open task may end later without moving the end, by its id.", map(integer())),
  phases: list(graphPhase),
  ends_at: noted("When the last task ends.", orNull(datetime)),
  maintenance_windows: noted(
    "When the service instances that the tasks have an impact on may be worked on, in the order of time. Empty for projects.",
    list(
      object({
        name: noted("Of the calendar.", string()),
        starts_at: datetime,
        ends_at: datetime,
        tasks: noted("The tasks that it is for.", list(integer())),
      }),
    ),
  ),
  move: noted(
    "With `move`: what would have to be saved. `planned_duration` is null where it stays.",
    orNull(object({ task: integer(), start_at: datetime, planned_duration: minutes })),
  ),
});

const graphOperation = {
  description:
    "Which task follows which, when each of them runs, and which decide the end. Nothing is saved, also not with `move`.",
  query: {
    move: noted(
      "The id of a task: the answer has the dates of all tasks as they would be if this one were moved.",
      optional(integer()),
    ),
    start_at: noted("Where `move` would begin.", optional(datetime)),
    end_at: noted("Where `move` would end; its planned duration follows from the work hours.", optional(datetime)),
  },
  answer: taskGraph,
  answers: "Tasks, edges and dates.",
} as const;

export const moneySpent = object({
  currency: string(),
  effort: noted("Time entries on tasks of the project, at the rates of people.", float),
  purchases: noted("Invoices of the project.", float),
});
const weekMinutes = (note: string) => noted(note, integer({ min: 0 }));

export const workload = answer("Workload", {
  weeks: noted("Mondays.", list(date)),
  people: list(
    object({
      person: named,
      weeks: list(
        object({
          planned: weekMinutes("Of the project or team."),
          other: weekMinutes("Of everything else."),
          available: weekMinutes("Workdays of the week, less absences."),
        }),
      ),
    }),
  ),
  time_spent: noted("Minutes registered on tasks of the project.", orNull(integer())),
  money_spent: noted(
    "What a project has cost, by currency; null for teams and for those who may not read the costs of time entries and invoices.",
    orNull(list(moneySpent)),
  ),
});

const workloadOperation = {
  description:
    "The planned effort of tasks is spread over the weekdays between their begin and their target. For those who may read all tasks.",
  query: {
    from: noted("A day of the first week; default: today.", optional(date)),
    until: noted("A day of the last week, at most 60 weeks later.", optional(date)),
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
