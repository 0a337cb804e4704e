import { enumerations } from "../../../../records/enumerations/index.ts";
import { rightNames } from "../../../actions/rights/rights.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildEnumerationSchema } from "../../openapi/enumeration-schema.ts";
import { buildJsonResponse } from "../../openapi/responses.ts";

// Describes the routes of rights-routes.ts for the OpenAPI document.

const texts: Schema = { type: "array", items: { type: "string" } };

export function rightsOperations(context: OpenApiContext): ApiOperations {
  const role = buildEnumerationSchema(context, "permission.role", enumerations["permission.role"]);
  const right: Schema = {
    type: "object",
    required: ["allowed", "extent", "because", "fields", "needs"],
    properties: {
      allowed: { type: "boolean" },
      extent: { enum: ["all", "some", "none"], description: "Of the records: all, those that meet a condition, none." },
      because: {
        type: "array",
        items: {
          type: "object",
          required: ["role", "account", "condition", "fields"],
          properties: {
            role: { type: "string", description: "A role, or `everyone`." },
            account: { type: "string", description: "The account in which the person has the role." },
            condition: {
              ...texts,
              description:
                "One of them must hold: `field:manager` where the field names the person, `rule:` and words for anything else. Empty: every record.",
            },
            fields: { type: ["array", "null"], items: { type: "string" }, description: "Null: all of them." },
          },
        },
      },
      fields: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "The fields that may be written; null: all that can be.",
      },
      needs: { type: "array", items: role, description: "Roles that would allow it, where nothing does." },
    },
  };
  const rights: Schema = {
    type: "object",
    required: ["on", "barred", ...rightNames, "not_fields", "ties"],
    properties: {
      on: { type: "object", properties: { type: { type: "string" }, id: { type: "integer" } } },
      barred: {
        enum: ["disabled", "other account", "inactive", null],
        description: "Why nothing is allowed at all.",
      },
      ...Object.fromEntries(rightNames.map((name) => [name, right])),
      not_fields: { ...texts, description: "Fields that only administrators change." },
      ties: {
        type: "array",
        description: "What ties the person to the record.",
        items: {
          type: "object",
          properties: {
            kind: { enum: ["field", "team", "organization", "delegation"] },
            field: { type: "string" },
            name: { type: ["string", "null"] },
          },
        },
      },
    },
  };
  const none = { allowed: false, extent: "none", because: [], fields: null, needs: ["account_administrator"] };
  const reason = { role: "specialist", account: "widget-it", condition: [], fields: null };
  const all = { allowed: true, extent: "all", because: [reason], fields: null, needs: [] };
  const example = {
    on: { type: "request", id: 48213 },
    barred: null,
    ...{ see: all, create: all, change: all, delete: none, archive: none },
    not_fields: ["source", "sourceID"],
    ties: [{ kind: "team", field: "team", name: "Networks" }],
  };
  return [
    [
      "GET /people/:id/rights",
      () => ({
        operationId: "getRightsOfPerson",
        summary: "Read what a person may do in this account, and why",
        description:
          "For administrators of the account, and for oneself. Without `on` the answer is a list, one entry for each record type.",
        parameters: [
          {
            name: "on",
            in: "query",
            description: "A record type, or a record: `request`, `request:48213`.",
            schema: { type: "string" },
          },
        ],
        responses: {
          200: buildJsonResponse(
            context,
            "The rights.",
            { anyOf: [rights, { type: "array", items: rights }] },
            example,
            [],
          ),
        },
      }),
    ],
  ];
}
