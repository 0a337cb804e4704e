import { readFileSync } from "node:fs";
import type { TimeSlices } from "../../base/time-slices.ts";
import type { Route } from "../http/route.ts";
import { peopleWithRolesOperations } from "../routes/account/people-with-roles-operations.ts";
import { recordOperations } from "../routes/records/describe-record-routes.ts";
import { buildPathParameter } from "./common-parameters.ts";
import { Components, type OpenApiContext, type Schema } from "./components.ts";
import { describeOperation } from "./declared-operation.ts";
import { introduction } from "./introduction.ts";
import { buildOperationObject, buildUndescribedOperation } from "./operation-object.ts";
import { buildSecurityRequirements, securitySchemes } from "./security.ts";
import { buildTag, pickTag } from "./tags.ts";

// The OpenAPI document: every route that is served, with its description.

export type OpenApiDocument = Schema & {
  paths: Record<string, Record<string, Schema>>;
  components: Record<string, Record<string, unknown>>;
};

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Takes most of a second, so it is divided: the first client that asks for the document must not hold up the others. */
export async function buildOpenApiDocument(
  source: Pick<OpenApiContext, "types" | "domain">,
  routes: readonly Route[],
  slices: TimeSlices,
): Promise<OpenApiDocument> {
  const context: OpenApiContext = { ...source, components: new Components() };
  const operations = new Map([
    ...context.types.all.flatMap((type) => recordOperations(context, type)),
    ...peopleWithRolesOperations(context),
  ]);
  const paths: OpenApiDocument["paths"] = {};
  const tags = new Set<string>();
  for (const route of routes) {
    await slices.pause();
    const operation =
      route.operation === undefined
        ? (operations.get(`${route.method} ${route.path}`)?.() ?? buildUndescribedOperation(context, route))
        : describeOperation(context, route.method, route.operation);
    const tag = operation.tag ?? pickTag(context, route.path);
    tags.add(tag);
    const path = toOpenApiPath(route.path);
    paths[path] ??= buildPathItem(context, route.path);
    paths[path][route.method.toLowerCase()] = buildOperationObject(context, route, operation, tag);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Steward API",
      version,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/v1", description: "this service" }],
    security: buildSecurityRequirements([]),
    tags: [...tags].sort(compareTags).map((name) => buildTag(context, name)),
    // "{" sorts after all letters: a collection comes first, then its predefined filters, one record, nested paths.
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: { ...context.components.all(), securitySchemes },
  };
}

/** /people/:id as /people/{id}. */
export const toOpenApiPath = (path: string): string => (path === "" ? "/" : path.replace(/:(\w+)/g, "{$1}"));

function buildPathItem(context: OpenApiContext, path: string): Record<string, Schema> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  // A path item holds its operations and the parameters that they share.
  return names.length === 0 ? {} : { parameters: names.map((name) => buildPathParameter(context, name)) as never };
}

const compareTags = (one: string, other: string) =>
  Number(other === "General") - Number(one === "General") || (one.toLowerCase() < other.toLowerCase() ? -1 : 1);
