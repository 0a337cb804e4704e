import {
  answer,
  boolean,
  choice,
  datetime,
  defaultsTo,
  float,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  strings,
  target,
  word,
} from "../vocabulary/index.ts";
import { recordOf } from "./answer-of.ts";

// Boards and backlogs as a whole, and what is done with sprints.

/** The fields of a record on a board and in a backlog. */
export const boardCard = answer("BoardCard", {
  type: word("request", "problem", "task", "project_task"),
  id: integer(),
  position: noted(
    "Position from the top, starting at 1. Includes records that the caller can't read.",
    integer({ min: 1 }),
  ),
  column: orNull(integer()),
  subject: string(),
  category: string(),
  status: string(),
  impact: orNull(string()),
  urgent: boolean,
  target: noted("A date and time, or `best_effort`, `clock_stopped` or `no_target`.", orNull(target)),
  kind_of_target: orNull(string()),
  waiting_until: orNull(datetime),
  checklist: orNull(object({ done: integer(), total: integer() })),
  tags: strings,
  team: orNull(named),
  member: orNull(named),
  service: orNull(named),
  estimate: orNull(integer()),
  sprint_item: noted(
    "The sprint item that holds the estimate; null: the estimate comes from the backlog.",
    orNull(integer()),
  ),
  sprint: orNull(integer()),
  backlog_item: orNull(integer()),
  revision: integer(),
});

export const sprintFigures = answer("SprintFigures", {
  id: integer(),
  number: integer(),
  name: orNull(string()),
  status: choice("sprint.status"),
  start_at: orNull(datetime),
  end_at: orNull(datetime),
  goal: orNull(string()),
  points: noted("Sum of the estimates.", integer()),
  done: noted("Sum of the estimates of completed items.", integer()),
  items: list(
    object({
      id: integer(),
      position: orNull(integer()),
      estimate: orNull(integer()),
      planned: boolean,
      done: orNull(boolean),
      type: string(),
      record: integer(),
      subject: orNull(string()),
      added_at: datetime,
      finished_at: orNull(datetime),
    }),
  ),
  days: noted(
    "Burn-down: points remaining at the end of each day; null for future days.",
    list(object({ date: string(), remaining: orNull(integer()), ideal: float })),
  ),
});

const workspace = object({
  id: integer(),
  name: string(),
  board: named,
  backlog: object({ id: integer(), name: string(), count: integer() }),
  team: named,
  sprint_length: integer(),
});
const head = {
  id: integer(),
  name: string(),
  disabled: boolean,
  request_template: orNull(named),
  service_instance: orNull(named),
  workspace: orNull(workspace),
};

export const boardColumn = object({
  id: integer(),
  name: string(),
  position: integer(),
  action_type: string(),
  team: orNull(named),
  member: orNull(named),
  clear_member: boolean,
  dialog_type: string(),
  remove_after: orNull(integer()),
  wip_limit: orNull(integer()),
  deleted: noted("The column is deleted, but remains visible while it has cards.", boolean),
  items: list(boardCard),
});

export const board = answer("BoardPicture", {
  ...head,
  manager: orNull(named),
  sprint: orNull(sprintFigures),
  next_sprint: noted(
    "The next planned sprint.",
    orNull(object({ id: integer(), number: integer(), name: orNull(string()) })),
  ),
  columns: list(boardColumn),
});

export const backlog = answer("BacklogPicture", {
  ...head,
  goal: orNull(string()),
  product_owner: orNull(named),
  sprints: list(sprintFigures),
  items: list(boardCard),
});

export const boardOperations = operations({
  "GET /agile_boards/:id/items": {
    id: "getItemsOfAgileBoard",
    summary: "Retrieve a board with its columns, cards and active sprint",
    description: "Contains the records that the caller can read. To move a card, PATCH its record.",
    answer: board,
    answers: "The board.",
  },
  "GET /product_backlogs/:id/items": {
    id: "getItemsOfProductBacklog",
    summary: "Retrieve a backlog with its items and latest sprints",
    answer: backlog,
    answers: "The backlog.",
  },
  "PATCH /product_backlogs/:id/product_backlog_items/:child": {
    id: "updateProductBacklogItemOfProductBacklog",
    summary: "Rank or estimate a backlog item",
    description: "Requires permission to update the request or problem.",
    body: object({ position: optional(integer({ min: 1 })), estimate: optional(orNull(integer({ min: 0 }))) }),
    bodyExample: { position: 1, estimate: 5 },
    answer: recordOf("product_backlog_item"),
    answers: "The item.",
  },
  "POST /sprints/:id/start": {
    id: "startSprint",
    summary: "Start a sprint",
    description: "Responds with 409 while another sprint of the workspace is active.",
    answer: recordOf("sprint"),
    answers: "The sprint.",
  },
  "POST /sprints/:id/complete": {
    id: "completeSprint",
    summary: "Complete a sprint",
    description:
      "`unfinished` specifies where to move items that aren't done: `backlog`, or `sprint` with `sprint_id`.",
    body: object({
      unfinished: defaultsTo("backlog", word("backlog", "sprint")),
      sprint_id: optional(integer()),
    }),
    bodyExample: { unfinished: "backlog" },
    answer: recordOf("sprint"),
    answers: "The sprint.",
  },
});
