import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEntryFieldsParameter } from "../../openapi/list-parameters.ts";
import { getSchemaName } from "../../openapi/names.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { exampleToken, token } from "../data/exchange-operations.ts";

// Describes the routes of privacy-routes.ts for the OpenAPI document.

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const moment: Schema = { type: ["string", "null"], format: "date-time" };
const person: Schema = { type: ["object", "null"], properties: { id: { type: "integer" }, name: text } };

const stored: Schema = {
  type: "object",
  properties: {
    name: text,
    anonymous_name: { ...text, description: "the name after an anonymisation" },
    parts: { type: "array", items: { type: "object", properties: { name: text, count } } },
  },
};
export const privacyJobEntry: Schema = {
  type: "object",
  properties: {
    token: text,
    kind: { type: "string", enum: ["export", "anonymise"] },
    state: { type: "string", enum: ["queued", "processing", "done", "failed"] },
    ...{ total: { ...count, description: "steps" }, done: count },
    counts: { type: "object" },
    ...{ subject: person, person },
    url: { type: "string", format: "uri", description: "a ZIP of JSON files, for two days" },
    created_at: { type: "string", format: "date-time" },
    finished_at: moment,
  },
};
const exampleJob = { ...exampleToken, kind: "export", state: "processing", total: 61, done: 12 };
const period: Schema = {
  type: "object",
  properties: {
    subject: text,
    days: { type: ["integer", "null"], description: "null: kept for ever" },
    last_run_at: moment,
    last_deleted: count,
  },
};
const periods: Schema = { type: "array", items: period };
const examplePeriods = [{ subject: "requests", days: 730, last_run_at: null, last_deleted: 0 }];

export function privacyOperations(context: OpenApiContext): ApiOperations {
  const tag = "Privacy";
  const forAdministrators = "For administrators of the account.";
  const started = { 202: buildJsonResponse(context, "The name to ask for its progress.", token, exampleToken, []) };
  const subjects = context.types.all.filter(({ deletion }) => deletion.anonymous !== null);
  // biome-ignore format: one row per route
  return [
    ...subjects.flatMap((type): ApiOperations => [
      [`GET /${type.collection}/:id/stored_data`, () => ({
        tag, operationId: `countStoredDataOf${getSchemaName(type)}`, summary: "See how much is stored about a person",
        description: forAdministrators,
        responses: { 200: buildJsonResponse(context, "Counts by part.", stored, { name: "Ann", anonymous_name: "Anonymous 7", parts: [{ name: "requests", count: 12 }] }, []) },
      })],
      [`POST /${type.collection}/:id/data_exports`, () => ({
        tag, operationId: `exportStoredDataOf${getSchemaName(type)}`, summary: "Export everything that is stored about a person",
        description: `${forAdministrators} A job writes a ZIP of JSON files. The security trail has an entry.`,
        responses: started,
      })],
      [`POST /${type.collection}/:id/anonymizations`, () => ({
        tag, operationId: `anonymize${getSchemaName(type)}`, summary: "Anonymise a person",
        description: `${forAdministrators} Name, contacts, mails, mentions and audit values are replaced or removed; records that refer to the person stay. It cannot be undone. The security trail has an entry.`,
        requestBody: buildJsonBody({ type: "object", required: ["name"], properties: { name: { ...text, description: "the name of the person, as a confirmation" } } }, { name: "Ann Example" }),
        responses: started,
      })],
    ]),
    ["GET /privacy_jobs", () => ({
      tag, operationId: "listPrivacyJobs", summary: "List exports and anonymisations of people",
      description: `${forAdministrators} Newest first.`,
      parameters: [buildEntryFieldsParameter(privacyJobEntry)],
      responses: { 200: buildJsonResponse(context, "The jobs.", { type: "array", items: privacyJobEntry }, [exampleJob]) },
    })],
    ["GET /privacy_jobs/:token", () => ({
      tag, operationId: "getPrivacyJob", summary: "Ask how far such a job is",
      description: forAdministrators,
      responses: { 200: buildJsonResponse(context, "The job.", privacyJobEntry, exampleJob, []) },
    })],
    ["GET /retention_periods", () => ({
      tag, operationId: "listRetentionPeriods", summary: "See how long the account keeps what",
      description: forAdministrators,
      responses: { 200: buildJsonResponse(context, "What can expire.", periods, examplePeriods, []) },
    })],
    ["GET /retention_periods/:subject/preview", () => ({
      tag, operationId: "previewRetentionPeriod", summary: "See how many entries a period would erase now",
      description: forAdministrators,
      parameters: [{ name: "days", in: "query", required: true, schema: { type: "integer", minimum: 1, maximum: 36_500 } }],
      responses: { 200: buildJsonResponse(context, "How many.", { type: "object", properties: { count } }, { count: 31 }, []) },
    })],
    ["PUT /retention_periods/:subject", () => ({
      tag, operationId: "setRetentionPeriod", summary: "Set how long the account keeps something",
      description: `${forAdministrators} A job erases older entries once a day, beginning now. The security trail has an entry.`,
      requestBody: buildJsonBody({ type: "object", required: ["days"], properties: { days: { type: ["integer", "null"], minimum: 1, maximum: 36_500 } } }, { days: 730 }),
      responses: { 200: buildJsonResponse(context, "What can expire.", periods, examplePeriods, []) },
    })],
  ];
}
