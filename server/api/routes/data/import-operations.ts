import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEntryFieldsParameter } from "../../openapi/list-parameters.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { exampleToken, importResults, token } from "./exchange-operations.ts";

// Describes the routes of import-routes.ts for the OpenAPI document.

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const moment: Schema = { type: "string", format: "date-time" };
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type as string, "null"] });
const person: Schema = { type: ["object", "null"], properties: { id: { type: "integer" }, name: text } };

export const mappingSchema: Schema = {
  type: "object",
  description: "the field of each column, by header; null skips a column. Other columns are matched by their header",
  additionalProperties: { type: ["string", "null"] },
  example: { Model: "product", Colour: null },
};

const entry: Record<string, Schema> = {
  token: text,
  type: text,
  file_name: orNull(text),
  state: { type: "string", enum: ["queued", "processing", "done", "error"] },
  dry_run: { type: "boolean", description: "a check, which changed nothing" },
  suppress_events: { type: "boolean" },
  stopped: { type: "boolean" },
  message: { ...orNull(text), description: "why it could not go on" },
  total: { ...orNull(count), description: "rows of the file; null while they are not counted" },
  done: { ...count, description: "rows that were read" },
  seconds: { type: ["number", "null"], description: "how long it took" },
  results: importResults,
  undo: {
    type: ["object", "null"],
    properties: {
      state: { type: "string", enum: ["queued", "processing", "done"] },
      ...{ total: count, undone: count },
      kept: { ...count, description: "rows of which something was changed or used since, and stays" },
      finished_at: orNull(moment),
    },
  },
  can_undo: { type: "boolean", description: "it is the last import, and none runs" },
  import_token: {
    type: ["string", "null"],
    description: "of a check: the import that was started from its file, which is imported once",
  },
  person,
  program: {
    type: ["object", "null"],
    description: "the token or OAuth application that uploaded the file; null: a browser",
    properties: { token: text, application: text },
  },
  created_at: moment,
  finished_at: orNull(moment),
};
export const importEntry: Schema = { type: "object", properties: entry };
const exampleEntry = {
  token: "5f2c1d0e9b8a7f6e5d4c3b2a19080706",
  type: "cis",
  state: "done",
  dry_run: false,
  results: { created: 4209, updated: 603, deleted: 0, unchanged: 171, failures: 17, errors: 0 },
  can_undo: true,
  import_token: null,
};
const summary: Schema = {
  type: "object",
  properties: {
    ...entry,
    rate: { type: "number", description: "rows per second" },
    remaining: { type: "integer", description: "seconds that the rest will take at this rate" },
    columns: {
      type: "array",
      items: {
        type: "object",
        properties: {
          header: text,
          field: { ...orNull(text), description: "null: the column is skipped" },
          known: { type: "boolean" },
          samples: { type: "array", items: text },
          filled: { ...count, description: "rows that have a value in it" },
        },
      },
    },
    mapping: { type: ["object", "null"] },
    corrections: { type: "object" },
    logfile: { type: "string", format: "uri" },
    error_file: { type: "string", format: "uri", description: "the refused rows, with what is wrong" },
  },
};
const row: Schema = {
  type: "object",
  properties: {
    line: { type: "integer" },
    state: { type: "string", enum: ["refused", "changed", "new", "kept", "undone"] },
    record_id: orNull({ type: "integer" }),
    cells: { type: ["array", "null"], items: text },
    shown: { type: "object", description: "cells of the record that the row replaces, by field" },
    errors: {
      type: "array",
      items: { type: "array", items: text },
      description:
        "field and message; where a cell names no record or several, a third text: `unknown` or `ambiguous`, or `known` if a record of that name exists by now",
    },
  },
};
const column: Schema = {
  type: "object",
  properties: {
    name: text,
    header: text,
    required: { type: "boolean" },
    labels: { type: "object", description: "by language", additionalProperties: text },
    refers_to: { ...text, description: "the collection of the records that a cell names" },
    by: { type: "array", items: text, description: "the fields that name such a record; none: its id" },
    several: { type: "boolean" },
  },
};
export const exportEntry: Schema = {
  type: "object",
  properties: {
    token: text,
    types: { type: "array", items: text },
    format: { type: "string", enum: ["csv", "xlsx"] },
    from: orNull(moment),
    state: { type: "string", enum: ["queued", "processing", "done", "failed"] },
    type: { ...orNull(text), description: "what is being written" },
    line: count,
    url: { type: "string", format: "uri", description: "for two days" },
    rate_limit_exceeded: orNull(text),
    again_at: { ...orNull(moment), description: "when that type can be exported again" },
    person,
    created_at: moment,
    finished_at: orNull(moment),
  },
};
const again: Schema = {
  type: "object",
  properties: {
    dry_run: { type: "boolean", default: false },
    suppress_events: { type: "boolean", default: false },
    mapping: mappingSchema,
    corrections: {
      type: "object",
      description: "by line, cells by header, which replace those of the file; null leaves the row out",
      example: { "118": { Status: "in_production" }, "377": null },
    },
  },
};

const listOf = (items: Schema): Schema => ({ type: "array", items });

export function importOperations(context: OpenApiContext): ApiOperations {
  const tag = "Import and export";
  const answer = (description: string) => buildJsonResponse(context, description, summary, exampleEntry, []);
  // biome-ignore format: one row per route
  return [
    ["GET /import", () => ({
      tag, operationId: "listImports", summary: "List imports and checks of the last 30 days",
      description: "For administrators, newest first.",
      parameters: [buildEntryFieldsParameter(importEntry)],
      responses: { 200: buildJsonResponse(context, "The imports.", listOf(importEntry), [exampleEntry]) },
    })],
    ["GET /import/:token/summary", () => ({
      tag, operationId: "getImportSummary", summary: "See everything about an import",
      description: "For administrators, for 30 days. Answers at once.",
      responses: { 200: answer("The import.") },
    })],
    ["GET /import/:token/rows", () => ({
      tag, operationId: "listImportRows", summary: "List rows of a file by what became of them",
      description: "For administrators. A check keeps the cells of its rows, an import those of refused ones.",
      parameters: [
        { name: "state", in: "query", schema: { type: "string", enum: ["refused", "changed", "new", "kept", "undone"], default: "refused" } },
        { name: "after_line", in: "query", description: "rows behind this line", schema: count },
        { name: "per_page", in: "query", schema: { type: "integer", minimum: 1, maximum: 500, default: 100 } },
      ],
      responses: { 200: buildJsonResponse(context, "The rows in the order of the file.", listOf(row), [{ line: 118, state: "refused", errors: [["status", "is not included in the list"]] }]) },
    })],
    ["POST /import/:token/again", () => ({
      tag, operationId: "readImportAgain", summary: "Read the file of a check again",
      description: "For administrators, for two days after the check: checks it with other options, or imports it.",
      requestBody: buildJsonBody(again, { mapping: { Model: "product" } }),
      responses: { 202: buildJsonResponse(context, "The name to ask for its progress.", token, exampleToken, []) },
    })],
    ["DELETE /import/:token", () => ({
      tag, operationId: "stopImport", summary: "Stop an import",
      description: "For administrators. Rows that were imported stay.",
      responses: { 200: answer("The import.") },
    })],
    ["POST /import/:token/undo", () => ({
      tag, operationId: "undoImport", summary: "Undo the last import",
      description: "For administrators. Records that it created are removed, values that it changed are put back. What somebody has changed or used since stays, and is listed under the rows that were kept.",
      responses: { 202: answer("The undo has begun.") },
    })],
    ["GET /import_types", () => ({
      tag, operationId: "listImportTypes", summary: "List what can be imported",
      description: "For administrators.",
      responses: { 200: buildJsonResponse(context, "The types.", listOf({ type: "object", properties: { type: text } }), [{ type: "people" }]) },
    })],
    ["GET /import_types/:type", () => ({
      tag, operationId: "getImportType", summary: "List the columns that a file may have",
      description: "For administrators.",
      responses: { 200: buildJsonResponse(context, "The columns.", { type: "object", properties: { type: text, can_map: { type: "boolean" }, columns: listOf(column) } }, { type: "people", can_map: true, columns: [{ name: "name", header: "Name", required: true, labels: { en: "Name" } }] }) },
    })],
    ["GET /export", () => ({
      tag, operationId: "listExports", summary: "List exports of the last 30 days",
      description: "For administrators, newest first.",
      parameters: [buildEntryFieldsParameter(exportEntry)],
      responses: { 200: buildJsonResponse(context, "The exports.", listOf(exportEntry), [{ types: ["people"], format: "csv", state: "done" }]) },
    })],
  ];
}
