import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { listChangeableTypes } from "./bulk-change-routes.ts";

// Describes the routes of bulk-change-routes.ts for the OpenAPI document.

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const refusal: Schema = {
  type: "object",
  required: ["id", "errors"],
  properties: {
    id: { type: "integer" },
    errors: { type: "array", items: { type: "array", items: text }, description: "pairs of field and message" },
  },
};
const token: Schema = { type: "object", required: ["token"], properties: { token: text } };
const exampleToken = { token: "5f2c1d0e9b8a7f6e5d4c3b2a19080706" };
const preview: Schema = {
  type: "object",
  required: ["total", "checked", "refused"],
  properties: { total: count, checked: count, refused: { type: "array", items: refusal } },
};
const progress: Schema = {
  type: "object",
  required: ["state", "total", "done", "changed", "undone", "refused"],
  properties: {
    state: { type: "string", enum: ["queued", "processing", "done", "canceled", "undoing", "undone"] },
    total: count,
    done: { ...count, description: "records that were tried; while undoing, of those that were changed" },
    changed: count,
    undone: count,
    refused: { type: "array", items: refusal, description: "the first 1,000" },
    undo_until: { type: "string", format: "date-time", description: "until then the change can be undone" },
  },
};
const exampleProgress = {
  state: "processing",
  total: 31,
  done: 12,
  changed: 11,
  undone: 0,
  refused: [{ id: 48_213, errors: [["base", "Forbidden"]] }],
};

export function bulkChangeOperations(context: OpenApiContext): ApiOperations {
  const collections = listChangeableTypes(context.types.all).map(({ collection }) => collection);
  const order: Schema = {
    type: "object",
    required: ["collection"],
    properties: {
      collection: { type: "string", enum: collections },
      ids: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 10_000 },
      query: { ...text, description: "instead of `ids`: the query of the list, such as `state=open&team=17`" },
      change: { type: "object", description: "the members of the body of a PATCH" },
      link: {
        type: "object",
        description: "links that every record gets: by the name of the link, ids of records, or names of tags",
        additionalProperties: { type: "array", minItems: 1, maxItems: 20, items: { type: ["integer", "string"] } },
        example: { tags: ["office move"] },
      },
      note: { ...text, description: "a note that every record gets" },
      dry_run: {
        type: "boolean",
        default: false,
        description: "tries it on the first 100 records and changes nothing",
      },
    },
  };
  const answer = (description: string) => buildJsonResponse(context, description, progress, exampleProgress);
  const tag = "Bulk changes";
  // biome-ignore format: one row per route
  return [
    ["POST /bulk_changes", () => ({
      tag, operationId: "startBulkChange", summary: "Change many records at once",
      description: "At most 10,000 records, each with the rights of the caller. The token also needs the scope to update the records. A job changes them one after the other; a record that refuses the change is reported, and the others are changed.",
      requestBody: buildJsonBody(order, { collection: "requests", query: "state=open&team=17", change: { member_id: 77 } }),
      responses: {
        200: buildJsonResponse(context, "With `dry_run`: what would be refused.", preview, { total: 31, checked: 31, refused: [] }),
        202: buildJsonResponse(context, "The name to ask for its progress.", token, exampleToken),
      },
    })],
    ["GET /bulk_changes/:token", () => ({
      tag, operationId: "getBulkChange", summary: "Ask how far a bulk change has come",
      description: "For the person who started it, until a day after its end.",
      responses: { 200: answer("How far it has come.") },
    })],
    ["DELETE /bulk_changes/:token", () => ({
      tag, operationId: "cancelBulkChange", summary: "Cancel a bulk change",
      description: "Records that were changed stay changed, unless the bulk change is undone.",
      responses: { 200: answer("Where it ended.") },
    })],
    ["POST /bulk_changes/:token/undo", () => ({
      tag, operationId: "undoBulkChange", summary: "Undo a bulk change",
      description: "Within ten minutes after its end. Fields that were changed since stay as they are; notes stay.",
      responses: { 202: answer("The undo has begun.") },
    })],
  ];
}
