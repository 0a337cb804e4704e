import type { Route } from "../call.ts";
import { done, jsonAnswer } from "./answers.ts";
import { etagHeader, languageHeader } from "./call-parameters.ts";
import type { Context, Schema } from "./components.ts";
import { failuresOf } from "./failures.ts";
import { capital, inSentence, pascal } from "./names.ts";
import type { Operation } from "./operation.ts";
import { credentials, scopeName } from "./security.ts";

// What follows from a route itself: credentials, scope, headers, and everything that can go wrong.

export function operationObject(context: Context, route: Route, operation: Operation, tag: string): Schema {
  const scope = scopeName(route);
  const remarks = [
    operation.description,
    scope === null ? undefined : `Needs the scope \`${scope}\`.`,
    route.anonymous ? "Answers without credentials too." : undefined,
  ].filter((remark) => remark !== undefined);
  const headers = [languageHeader(context), ...(route.method === "GET" ? [etagHeader(context)] : [])];
  return {
    operationId: operation.operationId,
    tags: [tag],
    summary: operation.summary,
    ...(remarks.length === 0 ? {} : { description: remarks.join(" ") }),
    ...(scope === null ? {} : { "x-required-scope": scope }),
    ...(operation.undescribed ? { "x-undescribed": true } : {}),
    security: route.anonymous ? [{}, ...credentials(scope)] : credentials(scope),
    parameters: [...(operation.parameters ?? []), ...headers],
    ...(operation.requestBody === undefined ? {} : { requestBody: operation.requestBody }),
    responses: { ...operation.responses, ...failuresOf(context, route) },
  };
}

/** A route that nobody wrote words for is in the document all the same; a test asks for them. */
export function undescribed(context: Context, route: Route): Operation {
  const segments = route.path.split("/").filter((segment) => segment !== "");
  const words = segments.filter((segment) => !segment.startsWith(":")).map(inSentence);
  const name = segments.map((segment) => pascal(segment.startsWith(":") ? `by ${segment}` : segment)).join("");
  const verb = { GET: "Read", POST: "Post to", PATCH: "Change", PUT: "Put", DELETE: "Delete" }[route.method];
  return {
    operationId: `${route.method.toLowerCase()}${name}`,
    summary: capital(`${verb} ${words.join(", ")}`),
    undescribed: true,
    responses:
      route.method === "DELETE"
        ? { 204: done(context) }
        : { 200: jsonAnswer(context, "The answer.", {}, undefined, []) },
  };
}
