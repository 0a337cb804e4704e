import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildRecordSchema } from "../../openapi/record-schemas.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of board-routes.ts for the OpenAPI document.

const integer: Schema = { type: "integer" };
const integerOrNull: Schema = { type: ["integer", "null"] };
const text: Schema = { type: "string" };
const textOrNull: Schema = { type: ["string", "null"] };
const boolean: Schema = { type: "boolean" };
const object = (properties: Record<string, Schema>): Schema => ({ type: "object", properties });
const list = (items: Schema): Schema => ({ type: "array", items });
const reference: Schema = { type: ["object", "null"], properties: { id: integer, name: text } };

const card = object({
  type: { type: "string", enum: ["request", "problem", "task", "project_task"] },
  id: integer,
  position: { type: "integer", minimum: 1, description: "1 is on top; records that the caller may not read count." },
  column: integerOrNull,
  subject: text,
  category: text,
  status: text,
  impact: textOrNull,
  urgent: boolean,
  target: { ...textOrNull, description: "A moment, or `best_effort`, `clock_stopped`, `no_target`." },
  kind_of_target: textOrNull,
  waiting_until: textOrNull,
  checklist: { type: ["object", "null"], properties: { done: integer, total: integer } },
  tags: list(text),
  team: reference,
  member: reference,
  service: reference,
  estimate: integerOrNull,
  sprint_item: integerOrNull,
  sprint: integerOrNull,
  backlog_item: integerOrNull,
  revision: integer,
});
const sprint = object({
  id: integer,
  number: integer,
  name: textOrNull,
  status: { type: "string", enum: ["registered", "active", "completed"] },
  start_at: textOrNull,
  end_at: textOrNull,
  goal: textOrNull,
  points: { ...integer, description: "Sum of the estimates." },
  done: { ...integer, description: "Sum of the estimates of what is done." },
  items: list(
    object({
      id: integer,
      position: integerOrNull,
      estimate: integerOrNull,
      planned: boolean,
      done: { type: ["boolean", "null"] },
      type: text,
      record: integer,
      subject: textOrNull,
      added_at: text,
      finished_at: textOrNull,
    }),
  ),
  days: {
    ...list(object({ date: text, remaining: integerOrNull, ideal: { type: "number" } })),
    description: "Burn-down: points left at the end of every day; null for days to come.",
  },
});
const workspace: Schema = {
  type: ["object", "null"],
  properties: {
    id: integer,
    name: text,
    board: reference,
    backlog: { type: "object", properties: { id: integer, name: text, count: integer } },
    team: reference,
    sprint_length: integer,
  },
};
const head = {
  id: integer,
  name: text,
  disabled: boolean,
  request_template: reference,
  service_instance: reference,
  workspace,
};

export function boardOperations(context: OpenApiContext): ApiOperations {
  const { components } = context;
  const cardRef = () => components.ref("schemas", "BoardCard", () => card);
  const sprintRef = () => components.ref("schemas", "SprintFigures", () => sprint);
  const board = () =>
    object({
      ...head,
      manager: reference,
      sprint: { anyOf: [sprintRef(), { type: "null" }] },
      next_sprint: { type: ["object", "null"], properties: { id: integer, number: integer, name: textOrNull } },
      columns: list(
        object({
          id: integer,
          name: text,
          position: integer,
          action_type: text,
          team: reference,
          member: reference,
          clear_member: boolean,
          dialog_type: text,
          remove_after: integerOrNull,
          wip_limit: integerOrNull,
          deleted: boolean,
          items: list(cardRef()),
        }),
      ),
    });
  const backlog = () =>
    object({ ...head, goal: textOrNull, product_owner: reference, sprints: list(sprintRef()), items: list(cardRef()) });
  const answerWithRecord = (name: string, description: string) => ({
    200: buildJsonResponse(context, description, buildRecordSchema(context, context.types.get(name)), undefined),
  });
  return [
    [
      "GET /agile_boards/:id/items",
      () => ({
        operationId: "getItemsOfAgileBoard",
        summary: "Read a whole board: columns, cards in their order, and the active sprint",
        description: "Holds the records that the caller may read. A card is moved by PATCH of its record.",
        responses: {
          200: buildJsonResponse(context, "The board.", components.ref("schemas", "BoardPicture", board), undefined),
        },
      }),
    ],
    [
      "GET /product_backlogs/:id/items",
      () => ({
        operationId: "getItemsOfProductBacklog",
        summary: "Read a whole backlog: items in their order, and the latest sprints",
        responses: {
          200: buildJsonResponse(
            context,
            "The backlog.",
            components.ref("schemas", "BacklogPicture", backlog),
            undefined,
          ),
        },
      }),
    ],
    [
      "PATCH /product_backlogs/:id/product_backlog_items/:child",
      () => ({
        operationId: "updateProductBacklogItemOfProductBacklog",
        summary: "Rank or estimate an item of a backlog",
        description: "Needs the right to change the request or the problem.",
        requestBody: buildJsonBody(
          object({ position: { type: "integer", minimum: 1 }, estimate: { type: ["integer", "null"], minimum: 0 } }),
          { position: 1, estimate: 5 },
        ),
        responses: answerWithRecord("product_backlog_item", "The item."),
      }),
    ],
    [
      "POST /sprints/:id/start",
      () => ({
        operationId: "startSprint",
        summary: "Start a sprint now",
        description: "409 while another sprint of the workspace is active.",
        responses: answerWithRecord("sprint", "The sprint."),
      }),
    ],
    [
      "POST /sprints/:id/complete",
      () => ({
        operationId: "completeSprint",
        summary: "Complete a sprint now",
        description: "`unfinished` says where the items go that are not done: `backlog`, or `sprint` with `sprint_id`.",
        requestBody: buildJsonBody(
          object({
            unfinished: { type: "string", enum: ["backlog", "sprint"], default: "backlog" },
            sprint_id: integer,
          }),
          { unfinished: "backlog" },
        ),
        responses: answerWithRecord("sprint", "The sprint."),
      }),
    ],
  ];
}
