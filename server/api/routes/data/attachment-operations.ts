import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Schema } from "../../openapi/components.ts";
import { getSchemaName, withArticle } from "../../openapi/names.ts";
import { buildHeaderRefs, buildJsonResponse, buildSavedResponse, commonHeaders } from "../../openapi/responses.ts";

// Describes the routes of attachment-routes.ts for the OpenAPI document.

const text: Schema = { type: "string" };
const file: Schema = { type: "string", contentMediaType: "application/octet-stream", description: "the file, last" };

const storage: Schema = {
  type: "object",
  required: ["size_limit", "allowed_extensions", "provider", "upload_uri", "local", "s3"],
  properties: {
    size_limit: { type: "integer", description: "bytes" },
    allowed_extensions: { type: "array", items: text, description: "lower case, without dot; empty: all are allowed" },
    provider: { type: "string", enum: ["local", "s3"], description: "the object whose members the upload repeats" },
    upload_uri: { type: "string", format: "uri", description: "where to post the file" },
    local: {
      type: "object",
      required: ["key"],
      additionalProperties: text,
      properties: { key: text },
      description: "parts to repeat in the upload; the key ends in a placeholder that the name of the file takes",
    },
    s3: { type: "object", additionalProperties: true, description: "the same for clients that know only S3 forms" },
  },
};

const form = (properties: Schema, description: string): Schema => ({
  required: true,
  description,
  content: { "multipart/form-data": { schema: { type: "object", properties } } },
});

export function attachmentOperations(context: OpenApiContext): ApiOperations {
  const avatars = context.types.all.filter((type) => type.routes.hasAvatar);
  return [
    [
      "GET /attachments/storage",
      () => ({
        operationId: "getAttachmentStorage",
        summary: "Ask for permission to upload a file",
        description: "The permission is good for ten minutes and one file.",
        tag: "Attachments",
        responses: { 200: buildJsonResponse(context, "Where and how to upload.", storage, undefined) },
      }),
    ],
    [
      "POST /attachments",
      () => ({
        operationId: "uploadAttachment",
        summary: "Upload a file",
        description:
          'Afterwards write a record with `<field>_attachments: [{"key": "..."}]`. An S3 form needs no token: its signed policy is the credential.',
        tag: "Attachments",
        requestBody: form(
          { key: text, "X-Xurrent-expiration": text, "X-Xurrent-signature": text, file },
          "All members of `local` (or `s3`), then the file.",
        ),
        responses: {
          200: buildJsonResponse(
            context,
            "The key of the file.",
            { type: "object", required: ["key"], properties: { key: text } },
            undefined,
            [],
          ),
          201: {
            description: "The same for an S3 form.",
            headers: buildHeaderRefs(context, commonHeaders),
            content: { "application/xml": { schema: text } },
          },
        },
      }),
    ],
    ...avatars.map((type): ApiOperations[number] => [
      `POST /${type.collection}/:id/avatar`,
      () => ({
        operationId: `uploadAvatarOf${getSchemaName(type)}`,
        summary: `Upload the picture of ${withArticle(type.name)}`,
        description: "PNG, JPEG, GIF or WebP, at most 700 kB.",
        requestBody: form({ avatar_file_name: text, avatar: { ...file, description: "the picture" } }, "The picture."),
        responses: { 200: buildSavedResponse(context, type) },
      }),
    ]),
  ];
}
