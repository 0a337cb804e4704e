import type { Route } from "../http/route.ts";
import type { ApiOperation } from "./api-operation.ts";
import { buildEtagHeader, buildIdempotencyKeyHeader, buildLanguageHeader } from "./common-parameters.ts";
import type { OpenApiContext, Schema } from "./components.ts";
import { buildErrorResponses, takesIdempotencyKey } from "./error-responses.ts";
import { capitalize, toPascalCase, toWords } from "./names.ts";
import { buildJsonResponse, buildNoContentResponse } from "./responses.ts";
import { buildSecurityRequirements, listScopeNames } from "./security.ts";

// Derives credentials, scope, headers and error responses of an operation from its route.

export function buildOperationObject(
  context: OpenApiContext,
  route: Route,
  operation: ApiOperation,
  tag: string,
): Schema {
  const scopes = listScopeNames(route);
  const remarks = [
    operation.description,
    scopes.length === 0 ? undefined : describeScopes(scopes),
    route.anonymous ? "Doesn't require authentication." : undefined,
  ].filter((remark) => remark !== undefined);
  const headers = [
    buildLanguageHeader(context),
    ...(route.method === "GET" ? [buildEtagHeader(context)] : []),
    ...(takesIdempotencyKey(route) ? [buildIdempotencyKeyHeader(context)] : []),
  ];
  return {
    operationId: operation.operationId,
    tags: [tag],
    summary: operation.summary,
    ...(remarks.length === 0 ? {} : { description: remarks.join(" ") }),
    ...(scopes.length === 0 ? {} : { "x-required-scope": scopes.join(", ") }),
    ...(operation.undescribed ? { "x-undescribed": true } : {}),
    security: route.anonymous ? [{}, ...buildSecurityRequirements(scopes)] : buildSecurityRequirements(scopes),
    parameters: [...(operation.parameters ?? []), ...headers],
    ...(operation.requestBody === undefined ? {} : { requestBody: operation.requestBody }),
    responses: { ...operation.responses, ...buildErrorResponses(context, route) },
  };
}

const describeScopes = (scopes: readonly string[]): string =>
  `Requires the ${scopes.length === 1 ? "scope" : "scopes"} ${scopes.map((scope) => `\`${scope}\``).join(", ")}.`;

/** Routes without a description are in the document, too; a test requires the description. */
export function buildUndescribedOperation(context: OpenApiContext, route: Route): ApiOperation {
  const segments = route.path.split("/").filter((segment) => segment !== "");
  const words = segments.filter((segment) => !segment.startsWith(":")).map(toWords);
  const name = segments.map((segment) => toPascalCase(segment.startsWith(":") ? `by ${segment}` : segment)).join("");
  const verb = { GET: "Read", POST: "Post to", PATCH: "Change", PUT: "Put", DELETE: "Delete" }[route.method];
  return {
    operationId: `${route.method.toLowerCase()}${name}`,
    summary: capitalize(`${verb} ${words.join(", ")}`),
    undescribed: true,
    responses:
      route.method === "DELETE"
        ? { 204: buildNoContentResponse(context) }
        : { 200: buildJsonResponse(context, "The response.", {}, undefined, []) },
  };
}
