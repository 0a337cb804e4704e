import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildHeaderRefs, commonHeaders } from "../../openapi/responses.ts";

// Describes the route of short-url-routes.ts for the OpenAPI document.

export const shortUrlOperations = (context: OpenApiContext): ApiOperations => [
  [
    "GET /short_urls/:id/qr",
    () => ({
      operationId: "getQrCodeOfShortUrl",
      summary: "Read the QR code of a short URL",
      description: "A picture for labels, black on white.",
      responses: {
        200: {
          description: "The picture.",
          headers: buildHeaderRefs(context, [...commonHeaders, "ETag"]),
          content: { "image/png": { schema: { type: "string", contentMediaType: "image/png" } } },
        },
      },
    }),
  ],
];
