import { monitoringEventParameters } from "../../../actions/monitoring-events.ts";
import { listSearchableTypes } from "../../../engine/search/sources.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildPagingParameters } from "../../openapi/list-parameters.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import {
  buildCreatedResponse,
  buildJsonResponse,
  buildSavedResponse,
  pagingHeaders,
  throttledHeader,
} from "../../openapi/responses.ts";
import { maxQueryLength, searchSorts } from "./search-routes.ts";

// Describes the routes of search-routes.ts and monitoring-event-routes.ts for the OpenAPI document.

const buildQueryParameter = (name: string, description: string, more: Schema, required = false): Schema => ({
  name,
  in: "query",
  description,
  required,
  ...more,
});

const html = { type: "string", description: "as HTML, the words that were found inside `<em>`" };
const exampleResult = {
  id: 70451,
  type: "request",
  title: "Printer on the third floor is jammed",
  details: "The printer shows error 13.",
  highlights: {
    title: "<em>Printer</em> on the third floor is jammed",
    details: "The <em>printer</em> shows error 13.",
  },
  url: "https://steward.example/v1/requests/70451",
};

export function searchOperations(context: OpenApiContext): ApiOperations {
  const types = listSearchableTypes(context.types).map((type) => type.scopeName);
  const found: Schema = {
    type: "object",
    required: ["id", "type", "title", "highlights", "url"],
    properties: {
      id: { type: "integer", minimum: 1 },
      type: { type: "string", enum: types },
      title: { type: "string" },
      details: { type: "string", description: "a note of the record, its description or instructions; shortened" },
      highlights: { type: "object", required: ["title"], properties: { title: html, details: html } },
      url: { type: "string", format: "uri", description: "of the record in this API" },
      avatar_url: { type: "string" },
    },
  };
  const request = context.types.get("request");
  const properties = Object.fromEntries(
    Object.entries(monitoringEventParameters).map(([name, description]) => [
      name,
      { type: name.endsWith("_id") ? "integer" : "string", description },
    ]),
  );
  return [
    [
      "GET /search",
      () => ({
        operationId: "search",
        summary: "Search records",
        tag: "General",
        description:
          "What the caller may see, by words: the newest 200 matches of each type and the newest 50 of its notes, ranked. A record is found by its notes, too, and by its number. Types that the token has no Read scope for are left out.",
        parameters: [
          buildQueryParameter(
            "q",
            "Words that all must be there; `|` stands for or. The last one may be unfinished. Accents do not count.",
            { schema: { type: "string", maxLength: maxQueryLength } },
            true,
          ),
          buildQueryParameter("types", "Only these types, comma separated.", {
            style: "form",
            explode: false,
            schema: { type: "array", items: { type: "string", enum: types } },
          }),
          buildQueryParameter("sort", "The best first, or the newest.", {
            schema: { type: "string", enum: searchSorts, default: "relevance" },
          }),
          ...buildPagingParameters(context),
        ],
        responses: {
          200: buildJsonResponse(
            context,
            "A page of what was found.",
            { type: "array", items: found },
            [exampleResult],
            ["ETag", ...pagingHeaders, throttledHeader],
          ),
        },
      }),
    ],
    [
      "POST /events",
      () => ({
        operationId: "postEvent",
        summary: "Report an event of a monitoring tool",
        tag: "Requests",
        description:
          "Registers a request, or adds to an open one of the last 24 hours: the one with the same source, service instance and configuration item, or without such an item the one with the same subject, note, source and requester. Parameters may stand in the query string as well.",
        requestBody: buildJsonBody(
          { type: "object", required: ["subject"], properties },
          { subject: "Disk full", ci: "srv-0042", note: "/var is at 100 percent.", source: "Monitor" },
        ),
        responses: { 200: buildSavedResponse(context, request), 201: buildCreatedResponse(context, request) },
      }),
    ],
  ];
}
