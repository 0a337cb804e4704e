import {
  isSummarizable,
  listGroupFields,
  listMeasures,
  periodUnits,
  summaryParameters,
} from "../../../engine/summary/question.ts";
import type { Type } from "../../../engine/types.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildListParameters } from "../../openapi/list-parameters.ts";
import { toPascalCase, toWords } from "../../openapi/names.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of summary-routes.ts for the OpenAPI document.

/** Parameters of lists that say how records are shown, not which. */
const listOnly = /[-/](fields|sort|per_page|page|search_after|search_before)$/;

const buildGroupSchema = (context: OpenApiContext): Schema =>
  context.components.ref("schemas", "SummaryGroup", () => ({
    type: "object",
    required: ["count", "value", "query"],
    additionalProperties: true,
    description:
      "The fields that the records are grouped by stand beside these members: a value or a reference as records show it, `null`, or `{from, until}` for a period.",
    properties: {
      count: { type: "integer", minimum: 0, description: "records in the group; of a share, those that count" },
      value: { type: ["number", "null"], description: "the measure; a share is between 0 and 1" },
      query: {
        type: ["string", "null"],
        description: "the query of the list with exactly these records; null where no filter can name them",
      },
      part: {
        type: "object",
        required: ["count", "query"],
        description: "of a share: the records that make it up",
        properties: { count: { type: "integer", minimum: 0 }, query: { type: ["string", "null"] } },
      },
    },
  }));

const buildSummarySchema = (context: OpenApiContext): Schema =>
  context.components.ref("schemas", "Summary", () => ({
    type: "object",
    required: ["groups", "total", "more"],
    properties: {
      groups: { type: "array", maxItems: 500, items: buildGroupSchema(context) },
      total: buildGroupSchema(context),
      more: { type: "boolean", description: "there are more than 500 groups; those with most records are shown" },
    },
  }));

const descriptions: Record<(typeof summaryParameters)[number], string> = {
  by: "The field to group by. Without it, the answer has the total alone.",
  then_by: "A second field to group by.",
  every:
    "Where a date or time is grouped by: the length of its periods, in the time zone of the caller. Weeks begin on Monday.",
  bounds: "Instead of `every`: up to 20 ascending dates or times, comma separated, that periods begin with.",
  measure:
    "`count`, or a median, average or sum of a number, or a share. A share counts only the records that it is a share of.",
};

export function summaryOperations(context: OpenApiContext, type: Type): ApiOperations {
  if (!isSummarizable(type)) return [];
  return [
    [
      `GET /${type.collection}/summary`,
      () => {
        const groupFields = listGroupFields(type, null);
        const schemas: Record<(typeof summaryParameters)[number], Schema> = {
          by: { type: "string", enum: groupFields },
          then_by: { type: "string", enum: groupFields },
          every: { type: "string", enum: periodUnits },
          bounds: { type: "string" },
          measure: { type: "string", enum: ["count", ...listMeasures(type, null)], default: "count" },
        };
        const [first = "status"] = groupFields;
        return {
          operationId: `summarize${toPascalCase(type.collection)}`,
          summary: `Count or measure ${toWords(type.collection)} by groups`,
          description:
            "Of the records that a list with the same filters shows the caller. `query` of each group is the query of the list behind it. Groups by a period are in its order, others have most records first.",
          parameters: [
            ...summaryParameters.map((name) => ({
              name,
              in: "query",
              description: descriptions[name],
              schema: schemas[name],
            })),
            ...buildListParameters(context, type).filter(
              (parameter) => !listOnly.test(String((parameter as { $ref?: string }).$ref)),
            ),
          ],
          responses: {
            200: buildJsonResponse(context, "The groups and their total.", buildSummarySchema(context), {
              groups: [{ [first]: null, count: 4, value: 4, query: `${first}=` }],
              total: { count: 4, value: 4, query: "" },
              more: false,
            }),
          },
        };
      },
    ],
  ];
}
