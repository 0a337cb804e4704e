import type { Route } from "../http/route.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildHeaderRefs, commonHeaders } from "./responses.ts";

// Error responses by status.

const buildErrorSchema = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "Error", () => ({
    type: "object",
    required: ["message"],
    properties: { message: { type: "string" } },
  }));

const buildValidationErrorSchema = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "ValidationError", () => ({
    type: "object",
    required: ["message", "errors"],
    properties: {
      message: { type: "string", const: "Validation Failed" },
      errors: {
        type: "array",
        description:
          "Pairs of a field and an error message in the language of the caller. A field can have several messages.",
        items: { type: "array", prefixItems: [{ type: "string" }, { type: "string" }], minItems: 2, maxItems: 2 },
      },
    },
  }));

const buildRateLimitErrorSchema = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "RateLimitError", () => ({
    type: "object",
    required: ["message", "documentation_url"],
    properties: { message: { type: "string" }, documentation_url: { type: "string", format: "uri" } },
  }));

type ErrorDescription = {
  name: string;
  meaning: string;
  example: Schema;
  schema?: (context: OpenApiContext) => Ref;
  headers?: readonly string[];
};

// biome-ignore format: a table keeps its columns
const errorDescriptions: Record<string, ErrorDescription> = {
  400: { name: "BadRequest",         meaning: "A parameter is unknown or has an invalid value, or the body isn't valid JSON.", example: { message: "Unknown fields: nam" } },
  401: { name: "Unauthorized",       meaning: "The credentials are missing or invalid.", example: { message: "Unauthorized" }, headers: ["WWW-Authenticate"] },
  403: { name: "Forbidden",          meaning: "The person lacks the required role, the token lacks the required scope, or the person has no access to the account.", example: { message: "Forbidden" } },
  404: { name: "NotFound",           meaning: "The record doesn't exist, or the caller isn't allowed to see it.", example: { message: "Not Found" } },
  406: { name: "NotAcceptable",      meaning: "The `Accept` header doesn't allow JSON, or the path is a page without a JSON representation.", example: { message: "Not Acceptable" } },
  409: { name: "Conflict",           meaning: "The `Idempotency-Key` was used for another call, or the first call with this key is still in progress. In the latter case, `Retry-After` specifies when to retry.", example: { message: "This Idempotency-Key was used for another call" }, headers: ["Retry-After"] },
  413: { name: "TooLarge",           meaning: "The body is larger than 1 MB, or the file is larger than allowed.", example: { message: "Request Entity Too Large" } },
  415: { name: "UnsupportedType",    meaning: "The body is neither JSON nor a form.", example: { message: "The content type text/plain is not supported, send application/json" } },
  422: { name: "Invalid",            meaning: "The body is well-formed, but contains invalid values. Nothing was changed.", example: { message: "Validation Failed", errors: [["name", "Name can't be blank"]] }, schema: buildValidationErrorSchema },
  429: { name: "TooManyRequests",    meaning: "The rate limit is exceeded.", example: { message: "Too Many Requests", documentation_url: "https://desk.widget.example/docs/api" }, schema: buildRateLimitErrorSchema, headers: ["Retry-After"] },
  500: { name: "InternalError",      meaning: "The service failed. Its log contains the error under the `X-Request-Id`.", example: { message: "Internal Server Error" } },
  502: { name: "BadGateway",         meaning: "The service is down or being upgraded.", example: { message: "Bad Gateway" } },
  503: { name: "ServiceUnavailable", meaning: "The service is overloaded, or its database is unavailable.", example: { message: "Service Unavailable" }, headers: ["Retry-After"] },
  504: { name: "GatewayTimeout",     meaning: "The database didn't respond in time.", example: { message: "Gateway timeout" }, headers: ["Retry-After"] },
};

function buildErrorResponse(context: OpenApiContext, status: string): Ref {
  const {
    name,
    meaning,
    example,
    schema = buildErrorSchema,
    headers = [],
  } = errorDescriptions[status] as ErrorDescription;
  return context.components.ref("responses", name, () => ({
    description: meaning,
    headers: buildHeaderRefs(context, [...commonHeaders, ...headers]),
    content: { "application/json": { schema: schema(context), example } },
  }));
}

const buildNotModifiedResponse = (context: OpenApiContext): Ref =>
  context.components.ref("responses", "NotModified", () => ({
    description: "Nothing has changed since the response with the given ETag. No body.",
    headers: buildHeaderRefs(context, [...commonHeaders, "ETag"]),
  }));

export const takesIdempotencyKey = ({ method }: Route): boolean => method === "POST" || method === "PATCH";

/** The error responses that a route can have. */
export function buildErrorResponses(context: OpenApiContext, route: Route): Record<string, Ref> {
  const takesBody = route.takesBody || (route.method !== "GET" && route.method !== "DELETE");
  const statuses = Object.keys(errorDescriptions).filter((status) => {
    if (status === "404") return route.path.includes(":");
    if (status === "409") return takesIdempotencyKey(route);
    return !["413", "415", "422"].includes(status) || takesBody;
  });
  return {
    ...(route.method === "GET" ? { 304: buildNotModifiedResponse(context) } : {}),
    ...Object.fromEntries(statuses.map((status) => [status, buildErrorResponse(context, status)])),
  };
}
