import type { ApiOperation, ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { buildJsonBody } from "../../openapi/request-bodies.ts";
import { buildJsonResponse, buildNoContentResponse } from "../../openapi/responses.ts";

// Describes the routes of mail-wording-routes.ts for the OpenAPI document.

const text: Schema = { type: "string" };
const words: Record<string, Schema> = {
  title: { ...text, maxLength: 200, description: "In the subject, after the name of the record." },
  text: { ...text, maxLength: 2000, description: "The first sentence of the mail." },
};
const wording: Schema = {
  type: "object",
  required: ["id", "about", "placeholders", "texts"],
  properties: {
    id: { ...text, description: "What the mail tells, such as `completed`." },
    about: { type: "array", items: text, description: "The record types." },
    placeholders: { type: "array", items: text, description: "What may stand in braces." },
    texts: {
      type: "array",
      items: {
        type: "object",
        properties: {
          language: text,
          ...words,
          changed: { type: "boolean", description: "The account has words of its own." },
        },
      },
    },
  },
};
const example = {
  id: "completed",
  about: ["request"],
  placeholders: ["record", "name", "account", "by", "completion_reason"],
  texts: [{ language: "en", title: "done", text: "{record} is done: {completion_reason}.", changed: true }],
};
const exampleWords = { title: "done", text: "{record} is done: {completion_reason}." };
const description = "For administrators of the account.";
const path = "/mail_wordings/:name/:language";

export function mailWordingOperations(context: OpenApiContext): ApiOperations {
  const describe = (operation: Omit<ApiOperation, "description" | "tag">): ApiOperation => ({
    ...operation,
    description,
    tag: "E-mail",
  });
  return [
    [
      "GET /mail_wordings",
      () =>
        describe({
          operationId: "listMailWordings",
          summary: "List the words of the mails, in every language",
          responses: {
            200: buildJsonResponse(context, "The words.", { type: "array", items: wording }, [example], []),
          },
        }),
    ],
    [
      `PUT ${path}`,
      () =>
        describe({
          operationId: "putMailWording",
          summary: "Change the words of a mail in a language",
          requestBody: buildJsonBody({ type: "object", required: ["title", "text"], properties: words }, exampleWords),
          responses: { 200: buildJsonResponse(context, "The words as they are now.", wording, example, []) },
        }),
    ],
    [
      `DELETE ${path}`,
      () =>
        describe({
          operationId: "resetMailWording",
          summary: "Take the words of the product again",
          responses: { 204: buildNoContentResponse(context) },
        }),
    ],
    [
      `POST ${path}/preview`,
      () =>
        describe({
          operationId: "previewMailWording",
          summary: "Read the mail that these words would make of a record",
          requestBody: buildJsonBody(
            {
              type: "object",
              required: ["title", "text", "record_id"],
              properties: { ...words, record_id: { type: "integer", description: "Of the first type of `about`." } },
            },
            { ...exampleWords, record_id: 48213 },
          ),
          responses: {
            200: buildJsonResponse(
              context,
              "Subject and text.",
              { type: "object", properties: { subject: text, body: text } },
              { subject: "Request 48213: done – Wireless drops", body: "Request 48213 is done: Solved." },
              [],
            ),
          },
        }),
    ],
  ];
}
