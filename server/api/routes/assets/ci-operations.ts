import { enumerations } from "../../../../records/enumerations/index.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEnumerationSchema } from "../../openapi/enumeration-schema.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { maxDepth } from "./ci-routes.ts";

// Describes the routes of ci-routes.ts for the OpenAPI document.

const id: Schema = { type: "integer", minimum: 1 };
const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const named: Schema = { type: "object", required: ["id", "name"], properties: { id, name: text } };
const list = (items: Schema): Schema => ({ type: "array", items });

const [campusSwitch, socket] = [
  { id: 4, name: "Campus switch" },
  { id: 9, name: "Wall socket" },
];
const exampleGraph = {
  items: [
    ...[{ id: 71, label: "SW-1", name: "Campus switch", status: "in_production", product: campusSwitch }].map(
      (item) => ({
        ...item,
        ...{ category: "Switch", level: 0, open_work: 2 },
      }),
    ),
  ],
  relations: [{ id: 5, of_ci: 71, ci: 72, relation_type: "parent" }],
  groups: [
    {
      ...{ of_ci: 71, relation_type: "child", product: socket, level: 1 },
      ...{ count: 34, first: "5.01-A", last: "5.17-B", ids: [101, 102] },
    },
  ],
  truncated: false,
};

export function ciOperations(context: OpenApiContext): ApiOperations {
  const relationType = (): Schema =>
    buildEnumerationSchema(context, "ci_relation.relation_type", enumerations["ci_relation.relation_type"]);
  const graph = (): Schema => ({
    type: "object",
    required: ["items", "relations", "groups", "truncated"],
    properties: {
      items: list({
        type: "object",
        properties: {
          ...{ id, label: { type: ["string", "null"] }, name: text, status: text, product: named },
          category: { type: ["string", "null"] },
          level: { ...count, description: "how many steps it is away" },
          open_work: { ...count, description: "open requests, problems and tasks about it; 0 for end users" },
        },
      }),
      relations: list({
        type: "object",
        description: "`ci` is the parent, child or the like of `of_ci`.",
        properties: { id, of_ci: id, ci: id, relation_type: relationType() },
      }),
      groups: list({
        type: "object",
        description: "Equal neighbours of an item, instead of each of them.",
        properties: {
          ...{ of_ci: id, relation_type: relationType(), product: named, level: count, count, first: text, last: text },
          ids: list(id),
        },
      }),
      truncated: { type: "boolean", description: "there are more items than are shown" },
    },
  });
  const outlook: Schema = {
    type: "object",
    required: ["items", "services", "service_instances", "slas", "people"],
    properties: {
      items: { ...count, description: "items that fail with it, itself among them" },
      ...{ services: list(named), service_instances: list(named) },
      slas: { ...list(named), description: "in force today" },
      people: { type: "object", properties: { count, examples: list(named) } },
    },
  };
  return [
    [
      "GET /cis/:id/graph",
      () => ({
        operationId: "getGraphOfCi",
        summary: "Read the configuration items around one",
        description: "At most 200 items that the caller may read; four or more equal neighbours are one group.",
        parameters: [
          {
            ...{ name: "depth", in: "query", description: "How many steps away, at most." },
            schema: { type: "integer", minimum: 1, maximum: maxDepth, default: 2 },
          },
        ],
        responses: { 200: buildJsonResponse(context, "Items and their relations.", graph(), exampleGraph) },
      }),
    ],
    [
      "GET /cis/:id/outlook",
      () => ({
        operationId: "getOutlookOfCi",
        summary: "Read what fails if a configuration item fails",
        description:
          "Its children fail with it. Services run on them, agreements in force promise these services, and people use the items or are covered by the agreements. Not for end users.",
        responses: {
          200: buildJsonResponse(context, "Who and what is affected.", outlook, {
            items: 39,
            services: [{ id: 7, name: "Wired network" }],
            service_instances: [{ id: 12, name: "Wired network Eindhoven" }],
            slas: [{ id: 3, name: "Network Gold" }],
            people: { count: 148, examples: [{ id: 21, name: "Grace Hopper" }] },
          }),
        },
      }),
    ],
  ];
}
