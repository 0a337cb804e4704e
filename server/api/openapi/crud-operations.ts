import type { Type } from "../../engine/types.ts";
import type { ApiOperation } from "./api-operation.ts";
import { buildIfMatchHeader, buildPreferHeader, buildSourceHeader } from "./common-parameters.ts";
import type { OpenApiContext } from "./components.ts";
import { buildListParameters } from "./list-parameters.ts";
import { toWords } from "./names.ts";
import { buildRequestBody } from "./request-bodies.ts";
import {
  buildCreatedIdResponse,
  buildCreatedResponse,
  buildNoContentResponse,
  buildPageResponse,
  buildSavedResponse,
  buildStaleResponses,
} from "./responses.ts";

// Operations of lists and records, used by collections and by nested paths.

type OperationName = { operationId: string; summary: string };

export const buildListOperation = (
  context: OpenApiContext,
  type: Type,
  operationName: OperationName,
): ApiOperation => ({
  ...operationName,
  description: `Sorted by \`${type.sort}\` unless \`sort\` is specified.`,
  parameters: buildListParameters(context, type),
  responses: { 200: buildPageResponse(context, type) },
});

export const buildCreateOperation = (
  context: OpenApiContext,
  type: Type,
  status: number,
  operationName: OperationName,
): ApiOperation => ({
  ...operationName,
  parameters: [buildPreferHeader(context), ...("source" in type.fields ? [buildSourceHeader(context)] : [])],
  requestBody: buildRequestBody(context, type, "create"),
  responses: {
    [status]:
      type.routes.createResponse === "id" ? buildCreatedIdResponse(context) : buildCreatedResponse(context, type),
  },
});

/** PUT equals PATCH, but needs an operation id of its own. */
export const buildUpdateOperation = (
  context: OpenApiContext,
  type: Type,
  method: string,
  which: string,
  name: string,
): ApiOperation => ({
  operationId: `${method === "PUT" ? "put" : "update"}${name}`,
  summary: `Update ${which}${method === "PUT" ? " (the same as PATCH)" : ""}`,
  description: "Omitted fields keep their values; `null` clears a field.",
  parameters: [buildPreferHeader(context), ...(type.hasRevision ? [buildIfMatchHeader(context)] : [])],
  requestBody: buildRequestBody(context, type, "update"),
  responses: { 200: buildSavedResponse(context, type), ...buildStaleResponses(context, type) },
});

export const buildDeleteOperation = (
  context: OpenApiContext,
  type: Type,
  operationName: OperationName,
): ApiOperation => ({
  ...operationName,
  parameters: type.hasRevision ? [buildIfMatchHeader(context)] : [],
  responses: { 204: buildNoContentResponse(context), ...buildStaleResponses(context, type) },
});

/** The collection itself and its predefined filters, as path suffixes and as words. */
export const listViews = (type: Type): { view: string; suffix: string; words: string }[] => [
  { view: "", suffix: "", words: "" },
  ...Object.keys(type.views).map((view) => ({ view, suffix: `/${view}`, words: `: ${toWords(view)}` })),
];
