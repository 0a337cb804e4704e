import { listExportTypes, listImportTypes } from "../../../exchange/exchange-types.ts";
import { rowFileNames } from "../../../exchange/row-files/row-file.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";

// Describes the routes of exchange-routes.ts for the OpenAPI document.

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
export const token: Schema = { type: "object", required: ["token"], properties: { token: text } };
export const exampleToken = { token: "5f2c1d0e9b8a7f6e5d4c3b2a19080706" };
const address: Schema = { type: "string", format: "uri", description: "good for two days, without credentials" };

export const importResults: Schema = {
  type: "object",
  required: ["created", "updated", "deleted", "unchanged", "failures", "errors"],
  properties: {
    ...{ created: count, updated: count, deleted: count, unchanged: count },
    failures: { ...count, description: "rows that were refused" },
    errors: { ...count, description: "rows on which the service failed" },
  },
};

const importProgress: Schema = {
  type: "object",
  required: ["state"],
  properties: {
    state: { type: "string", enum: ["queued", "processing", "done", "error"] },
    line: { type: "integer", description: "the line reached" },
    total: { ...count, description: "the number of rows, where it is known" },
    rate: { type: "number", description: "rows per second" },
    remaining: { type: "integer", description: "seconds that the rest will take at this rate" },
    message: { ...text, description: "why the file could not be read any further" },
    results: importResults,
    logfile: { ...address, description: "one line per refused row; good for two days" },
  },
};

const exportProgress: Schema = {
  type: "object",
  required: ["state"],
  properties: {
    state: { type: "string", enum: ["queued", "processing", "done", "failed"] },
    type: { ...text, description: "what is being written" },
    line: { type: "integer", description: "the line reached" },
    url: address,
    expires_at: { type: "string", format: "date-time" },
    rate_limit_exceeded: {
      ...text,
      description: "the type with more than 10,000 records that was exported today already",
    },
  },
};

const noHeaders: readonly string[] = [];

export function exchangeOperations(context: OpenApiContext): ApiOperations {
  const imported = [...listImportTypes(context.types).map(({ name: word }) => word), ...rowFileNames].sort();
  const exported = [...listExportTypes(context.types).map(({ name: word }) => word), ...rowFileNames].sort();
  const wanted: Schema = {
    type: "object",
    required: ["type"],
    properties: {
      type: { ...text, description: `one or more, separated by commas: ${exported.join(", ")}` },
      from: {
        ...text,
        description:
          "records created or changed since then, at most two months ago: `20310201`, `20310201T08:00:00`, with an offset or in the time zone of the caller",
      },
      export_format: { type: "string", enum: ["csv", "xlsx"], default: "csv" },
      line_separator: { type: "string", enum: ["lf", "crlf"], default: "lf" },
    },
  };
  const tag = "Import and export";
  // biome-ignore format: one row per route
  return [
    ["POST /import", () => ({
      tag, operationId: "startImport", summary: "Import a file of records",
      description: "For administrators. CSV or TSV in UTF-8 or UTF-16LE; the first line names the columns by the labels of the fields. One import at a time per account; the others wait.",
      requestBody: { required: true, description: "The file, and what it holds.", content: { "multipart/form-data": { schema: {
        type: "object", required: ["type", "file"],
        properties: {
          type: { type: "string", enum: imported },
          suppress_events: { type: "boolean", default: false, description: "no events for webhooks and automation rules" },
          dry_run: { type: "boolean", default: false, description: "checks up to 20,000 rows and changes nothing" },
          mapping: { type: "string", contentMediaType: "application/json", description: "JSON: the field of each column, by header; null skips a column" },
          file: { type: "string", contentMediaType: "application/octet-stream", description: "at most 1 GiB" },
        },
      } } } },
      responses: { 200: buildJsonResponse(context, "The name to ask for its progress.", token, exampleToken, noHeaders) },
    })],
    ["GET /import/:token", () => ({
      tag, operationId: "getImport", summary: "Ask how far an import has come",
      description: "Until five minutes after its end.",
      responses: { 200: buildJsonResponse(context, "How far it has come.", importProgress, { state: "processing", line: 4201, rate: 350.5, remaining: 17 }) },
    })],
    ["POST /export", () => ({
      tag, operationId: "startExport", summary: "Export records to a file",
      description: "For administrators. Several types come as a ZIP with a file for each.",
      requestBody: { required: true, content: { "application/json": { schema: wanted, example: { type: "people,teams" } }, "multipart/form-data": { schema: wanted } } },
      responses: { 200: buildJsonResponse(context, "The name to ask for its progress.", token, exampleToken, noHeaders), 204: buildNoContentResponse(context) },
    })],
    ["GET /export/:token", () => ({
      tag, operationId: "getExport", summary: "Ask how far an export has come",
      description: "Until five minutes after its end.",
      responses: { 200: buildJsonResponse(context, "How far it has come.", exportProgress, { state: "processing", type: "people", line: 4501 }) },
    })],
  ];
}
