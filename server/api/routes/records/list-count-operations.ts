import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";
import { maxCountedLists } from "./list-count-routes.ts";

/** Describes the route of list-count-routes.ts for the OpenAPI document. */
export const listCountOperations = (context: OpenApiContext): ApiOperations => [
  [
    "GET /list_counts",
    () => ({
      ...{ operationId: "countLists", summary: "Count the lists below a record", tag: "General" },
      description:
        "How many entries the lists have that the caller would get. Lists that the caller may not read are left out. The scope is that of the record type.",
      parameters: [
        { name: "type", in: "query", required: true, description: "Of the record.", schema: { type: "string" } },
        {
          ...{ name: "id", in: "query", required: true, description: "Its id or nodeID." },
          schema: { type: "string" },
        },
        {
          ...{ name: "lists", in: "query", required: true, schema: { type: "string" } },
          description: `The names of up to ${maxCountedLists} lists, with commas.`,
        },
      ],
      responses: {
        200: buildJsonResponse(
          context,
          "The number of entries by list.",
          { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
          { requests: 6, problems: 1 },
        ),
      },
    }),
  ],
];
