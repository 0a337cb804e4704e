import { found, jsonAnswer } from "./answers.ts";
import type { Context, Schema } from "./components.ts";
import { fieldsParameter } from "./list-parameters.ts";
import type { Operation, Operations } from "./operation.ts";

// What is said about the routes of own-routes.ts, and about the document itself.

const choices: Schema = {
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
const someChoices = {
  "task.impact": [
    { id: "low", txt: "Low" },
    { id: "medium", txt: "Medium" },
  ],
};

const standing: Schema = {
  type: "object",
  required: ["limit", "remaining", "reset"],
  properties: { limit: { type: "integer" }, remaining: { type: "integer" }, reset: { type: "integer" } },
};
const someStanding = { limit: 3600, remaining: 3599, reset: 1_927_877_400 };
const wholeStanding: Schema = {
  ...standing,
  required: ["limit", "remaining", "reset", "resources"],
  properties: {
    ...(standing.properties as Schema),
    resources: { type: "object", required: ["core"], properties: { core: standing } },
  },
};

export function ownOperations(context: Context): Operations {
  const person = context.types.named("person");
  const account = context.types.named("account");
  const say = (operationId: string, summary: string, more: Partial<Operation>): Operation => ({
    operationId,
    summary,
    tag: "General",
    responses: {},
    ...more,
  });
  const answer = (description: string, schema: Schema, example?: unknown) => ({
    200: jsonAnswer(context, description, schema, example),
  });
  const me = () => ({
    parameters: [fieldsParameter(context, person)],
    responses: { 200: found(context, person) },
  });
  // biome-ignore format: one row per route
  return [
    ["GET ", () => say("getEntry", "Find out whether the API answers", {
      responses: answer("It does.", { type: "object", maxProperties: 0 }, {}),
    })],
    ["GET /me", () => say("getMe", "Read the person who is calling", me())],
    ["GET /people/me", () => say("getMeAmongPeople", "Read the person who is calling (the same as /me)", me())],
    ["GET /account", () => say("getAccount", "Read the account of the call", {
      parameters: [fieldsParameter(context, account)],
      responses: { 200: found(context, account) },
    })],
    ["GET /account/billing", () => say("getBilling", "A page of the user interface, not a resource", {
      description: "Always answers 406.",
    })],
    ["GET /enums", () => say("getEnums", "Read all enumerations", {
      responses: answer("All enumerations, each in order of rank.", choices, someChoices),
    })],
    ["GET /enums/:language", () => say("getEnumsInLanguage", "Read all enumerations in a language", {
      responses: answer("All enumerations, each in order of rank.", choices, someChoices),
    })],
    ["GET /rate_limit", () => say("getRateLimit", "Read what is left of the rate limit", {
      description: "Not counted itself, but allowed only once a second.",
      responses: answer("Where the caller stands.", wholeStanding, { ...someStanding, resources: { core: someStanding } }),
    })],
    ["GET /openapi", () => say("getOpenApiDocument", "Read this document", {
      description: "Usually asked for as `/openapi.json`.",
      responses: answer("An OpenAPI 3.1 document.", { type: "object" }),
    })],
  ];
}
