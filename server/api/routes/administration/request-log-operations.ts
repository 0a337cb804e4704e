import type { ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { buildFilter, integer, moment, objectOf, text } from "./administration-operations.ts";

// Describes the routes of request-log-routes.ts for the OpenAPI document.

const tag = "Request log";
const named = orNull(objectOf({ id: integer, name: text }));
const call = objectOf({
  id: integer,
  called_at: moment,
  method: text,
  path: { ...text, description: "with the query, without values that may be secret" },
  status: integer,
  milliseconds: integer,
  request_id: { ...text, description: "`X-Request-Id` of the answer" },
  address: orNull(text),
  sent: { ...orNull(text), description: "the beginning of the body of a call that failed, without secrets" },
  answered: { ...orNull(text), description: "the beginning of the answer of a call that failed" },
  is_session: { type: "boolean", description: "made by the web interface" },
  person: named,
  application: named,
  token: { ...orNull(text), description: "the name of the personal access token" },
  scopes: { type: ["array", "null"], items: { type: "object" }, description: "what the token may do" },
});
const example = {
  ...{ id: 90_211, called_at: "2031-02-03T10:41:52+01:00", method: "POST", path: "/v1/requests", status: 422 },
  ...{ milliseconds: 38, request_id: "k3J9R7M4-1a", address: "10.20.4.17", sent: '{"subject":"x"}' },
  ...{ answered: '{"message":"Validation failed"}', is_session: false, person: { id: 7, name: "Ruben Castell" } },
  ...{ application: { id: 3, name: "warehouse-sync" }, token: null },
  scopes: [{ effect: "allow", actions: ["request:Create"], accounts: [] }],
};
const hour: Schema = objectOf({ hour: moment, calls: integer, errors: integer });
const caller: Schema = objectOf({
  ...{ application: named, token: named, person: named, is_session: { type: "boolean" } },
  ...{ calls: integer, errors: integer, refused: { ...integer, description: "by the rate limit" } },
});
const statistics = objectOf({
  calls: integer,
  callers: integer,
  errors: integer,
  median: orNull(integer),
  p99: orNull(integer),
  hours: { type: "array", items: hour },
  by_caller: {
    ...{ type: "array", items: caller, maxItems: 50 },
    description: "Those with most calls: an application, a personal access token, or a person in a browser.",
  },
});
const exampleStatistics = {
  ...{ calls: 48_112, callers: 9, errors: 190, median: 14, p99: 120 },
  hours: [{ hour: "2031-02-03T10:00:00+01:00", calls: 312, errors: 2 }],
  by_caller: [
    {
      ...{ application: { id: 3, name: "warehouse-sync" }, token: null, person: null, is_session: false },
      ...{ calls: 312, errors: 2, refused: 0 },
    },
  ],
};

export const requestLogOperations = (context: OpenApiContext): ApiOperations => [
  [
    "GET /request_log",
    () => ({
      ...{ operationId: "listApiCalls", summary: "List calls of the API", tag },
      description:
        "The newest hundred calls of the last seven days: the own ones; administrators see those of the account. Reads of the web interface are left out.",
      parameters: [
        buildFilter("status", "Calls with this status; `error` for 400 and above."),
        buildFilter("method", "Calls with this method."),
        buildFilter("path", "Calls whose path begins so."),
        buildFilter("person_id", "Calls of this person, for administrators.", integer),
        buildFilter("application_id", "Calls of this application.", integer),
        buildFilter("token_id", "Calls with this personal access token.", integer),
        buildFilter("browser", "`true`: calls of the web interface.", { type: "boolean" }),
        buildFilter("hours", "How far back, at most 168.", integer),
        buildFilter("request_id", "The failed call that was answered with this `X-Request-Id`."),
        buildFilter("before", "Calls older than the one with this id.", integer),
        buildFilter("after", "Calls newer than the one with this id.", integer),
      ],
      responses: {
        200: buildJsonResponse(context, "The calls, newest first.", { type: "array", items: call }, [example]),
      },
    }),
  ],
  [
    "GET /request_log_statistics",
    () => ({
      ...{ operationId: "countApiCalls", summary: "Count calls of the API by hour", tag },
      description: "At most the newest 50,000 calls are counted.",
      parameters: [buildFilter("hours", "How far back; 168 if omitted.", integer)],
      responses: { 200: buildJsonResponse(context, "The figures.", statistics, exampleStatistics) },
    }),
  ],
];
