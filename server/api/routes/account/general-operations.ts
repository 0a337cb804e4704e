import type { Field } from "../../../../records/vocabulary/index.ts";
import { ownSettings } from "../../../actions/own-settings.ts";
import type { ApiOperation, ApiOperations } from "../../openapi/api-operation.ts";
import { orNull } from "../../openapi/common-schemas.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildFieldsParameter } from "../../openapi/list-parameters.ts";
import { buildRecordSchema } from "../../openapi/record-schemas.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildRecordResponse } from "../../openapi/responses.ts";
import { buildValueSchema } from "../../openapi/value-schemas.ts";

// Describes the routes of general-routes.ts, usage-routes.ts and service-desk-routes.ts for the OpenAPI document.

const enumerationsSchema: Schema = {
  type: "object",
  description: "Enumerations by name.",
  additionalProperties: {
    type: "array",
    items: {
      type: "object",
      required: ["id", "txt"],
      properties: { id: { type: "string" }, txt: { type: "string", description: "label in the language of the call" } },
    },
  },
};
const exampleEnumerations = {
  "task.impact": [
    { id: "low", txt: "Low" },
    { id: "medium", txt: "Medium" },
  ],
};

const rateLimitSchema: Schema = {
  type: "object",
  required: ["limit", "remaining", "reset"],
  properties: { limit: { type: "integer" }, remaining: { type: "integer" }, reset: { type: "integer" } },
};
const exampleRateLimit = { limit: 3600, remaining: 3599, reset: 1_927_877_400 };
const rateLimitResponseSchema: Schema = {
  ...rateLimitSchema,
  required: ["limit", "remaining", "reset", "resources"],
  properties: {
    ...(rateLimitSchema.properties as Schema),
    resources: { type: "object", required: ["core"], properties: { core: rateLimitSchema } },
  },
};

const usageStatement: Schema = {
  type: "object",
  required: ["id", "plan", "year", "month", "start_date", "end_date", "user_months"],
  properties: {
    id: { type: "integer" },
    plan: { type: "string" },
    year: { type: "integer" },
    month: { type: "integer", minimum: 1, maximum: 12 },
    start_date: { type: "string", format: "date" },
    end_date: { type: "string", format: "date" },
    user_months: { type: "integer", description: "people who held a role other than key contact in the month" },
  },
};
const exampleStatement = {
  id: 203102,
  plan: "premium",
  year: 2031,
  month: 2,
  start_date: "2031-02-01",
  end_date: "2031-02-28",
  user_months: 2,
};
const nullableString = { type: ["string", "null"] };
const billableUser: Schema = {
  type: "object",
  required: [
    "id",
    "primary_email",
    "name",
    "organization",
    "business_unit",
    "region",
    "account",
    "last_visit",
    "sign_ins",
    "updates",
  ],
  properties: {
    id: { type: "integer" },
    primary_email: { type: "string" },
    name: { type: "string" },
    organization: nullableString,
    business_unit: nullableString,
    region: nullableString,
    account: { type: "object" },
    last_visit: { ...nullableString, format: "date-time" },
    sign_ins: { type: "integer" },
    updates: { type: "integer" },
  },
};

const buildOwnSettingsSchema = (context: OpenApiContext): Schema => {
  const { fields } = context.types.get("person");
  return {
    type: "object",
    properties: Object.fromEntries(
      ownSettings.map((name) => [name, orNull(buildValueSchema(context, fields[name] as Field))]),
    ),
  };
};

export function generalOperations(context: OpenApiContext): ApiOperations {
  const person = context.types.get("person");
  const account = context.types.get("account");
  const describe = (operationId: string, summary: string, details: Partial<ApiOperation>): ApiOperation => ({
    operationId,
    summary,
    tag: "General",
    responses: {},
    ...details,
  });
  const answer = (description: string, schema: Schema, example?: unknown) => ({
    200: buildJsonResponse(context, description, schema, example),
  });
  const me = () => ({
    parameters: [buildFieldsParameter(context, person)],
    responses: { 200: buildRecordResponse(context, person) },
  });
  // biome-ignore format: one row per route
  return [
    ["GET ", () => describe("getEntry", "Find out whether the API answers", {
      responses: answer("It does.", { type: "object", maxProperties: 0 }, {}),
    })],
    ["GET /me", () => describe("getMe", "Read the person who is calling", me())],
    ["GET /people/me", () => describe("getMeAmongPeople", "Read the person who is calling (the same as /me)", me())],
    ["PATCH /me", () => describe("updateMe", "Change the own settings", {
      description: `Everybody may change ${ownSettings.map((name) => `\`${name}\``).join(", ")} of their own record.`,
      requestBody: buildJsonBody(buildOwnSettingsSchema(context), { locale: "nl", time_zone: "Amsterdam" }),
      responses: { 200: buildRecordResponse(context, person) },
    })],
    ["GET /sd", () => describe("findCallers", "Find people by their telephone number", {
      description: "For service desk analysts. Compares the digits of work, mobile and home numbers; at most 10 people.",
      parameters: [{ name: "telephone", in: "query", required: true, schema: { type: "string" } }, buildFieldsParameter(context, person)],
      responses: answer("The people.", { type: "array", items: buildRecordSchema(context, person) }),
    })],
    ["GET /account", () => describe("getAccount", "Read the account of the call", {
      parameters: [buildFieldsParameter(context, account)],
      responses: { 200: buildRecordResponse(context, account) },
    })],
    ["GET /account/billing", () => describe("getBilling", "A page of the user interface, not a resource", {
      description: "Always answers 406.",
    })],
    ["GET /account/usage_statements", () => describe("listUsageStatements", "List the months of the account and how many people were billable in each", {
      description: "For the owner of the account. `id`, `year` and `month` filter; newest first.",
      responses: answer("The months, newest first.", { type: "array", items: usageStatement }, [exampleStatement]),
    })],
    ["GET /account/usage_statements/:id", () => describe("getUsageStatement", "Read one month of the account", {
      description: "For the owner of the account.",
      responses: answer("The month.", { ...usageStatement, properties: { ...(usageStatement.properties as Schema), billable_user_ids: { type: "array", items: { type: "integer" } } } }, { ...exampleStatement, billable_user_ids: [77, 78] }),
    })],
    ["GET /account/billable_users", () => describe("listBillableUsers", "List the people who were billable in a month", {
      description: "For the owner of the account. `year` and `month` choose the month; the current one without them.",
      responses: answer("The people.", { type: "array", items: billableUser }),
    })],
    ["GET /enums", () => describe("getEnums", "Read all enumerations", {
      responses: answer("All enumerations, each in order of rank.", enumerationsSchema, exampleEnumerations),
    })],
    ["GET /enums/:language", () => describe("getEnumsInLanguage", "Read all enumerations in a language", {
      responses: answer("All enumerations, each in order of rank.", enumerationsSchema, exampleEnumerations),
    })],
    ["GET /rate_limit", () => describe("getRateLimit", "Read what is left of the rate limit", {
      description: "Not counted itself, but allowed only once a second.",
      responses: answer("Where the caller stands.", rateLimitResponseSchema, { ...exampleRateLimit, resources: { core: exampleRateLimit } }),
    })],
    ["GET /openapi", () => describe("getOpenApiDocument", "Read this document", {
      description: "Usually asked for as `/openapi.json`. With `tag`, the document has the operations of one tag and the schemas that they use.",
      parameters: [{ name: "tag", in: "query", description: "the name of a tag, such as `Requests`", schema: { type: "string" } }],
      responses: answer("An OpenAPI 3.1 document.", { type: "object" }),
    })],
  ];
}
