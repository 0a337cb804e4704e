import type { Type } from "../../engine/types.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildExampleRecord } from "./examples/example-records.ts";
import { getSchemaName, toWords } from "./names.ts";
import { buildRecordSchema, buildRowSchema } from "./record-schemas.ts";

// Successful responses: their headers, and the responses that all record types share.

// biome-ignore format: a table keeps its columns
const headerDescriptions: Record<string, [Schema, string]> = {
  "X-Request-Id":               [{ type: "string" },  "Identifier of the call in the service's log."],
  "X-RateLimit-Limit":          [{ type: "integer" }, "Number of calls allowed per hour."],
  "X-RateLimit-Remaining":      [{ type: "integer" }, "Number of calls remaining in the current window."],
  "X-RateLimit-Reset":          [{ type: "integer" }, "End of the current window, in UTC epoch seconds."],
  "ETag":                       [{ type: "string" },  "Identifies this version of the content. Send it as `Etag` to receive 304 while nothing has changed."],
  "X-Revision":                 [{ type: "integer", minimum: 1 }, "The revision of the record. Send it as `If-Match` to change the record only if it's still at this revision."],
  "Location":                   [{ type: "string", format: "uri" }, "URL of the new record in the user interface."],
  "X-Ignored-Fields":           [{ type: "string" },  "Members of the body that were ignored, if any."],
  "Link":                       [{ type: "string" },  "`<address>; rel=\"first\"`, `prev` and `next`, if those pages exist."],
  "X-Pagination-Per-Page":      [{ type: "integer" }, "Number of records per page."],
  "X-Pagination-Current-Page":  [{ type: "integer" }, "The current page number."],
  "X-Pagination-Total-Pages":   [{ type: "integer" }, "Number of pages."],
  "X-Pagination-Total-Entries": [{ type: "integer" }, "Total number of records. Exact unless `X-Pagination-Total-Age` is present."],
  "X-Pagination-Total-Age":     [{ type: "integer", minimum: 1, maximum: 60 }, "Seconds since the records of a list with more than 10,000 records were counted. The total includes all changes by the caller; later changes by others may be missing. Absent if the total is exact."],
  "X-Pagination-Start-Cursor":  [{ type: "string" },  "Cursor of the first record, for `search_before`. Absent on an empty page."],
  "X-Pagination-End-Cursor":    [{ type: "string" },  "Cursor of the last record, for `search_after`. Absent on an empty page."],
  "X-Pagination-Throttled":     [{ type: "string", const: "true" }, "More records match than the list can return."],
  "Retry-After":                [{ type: "integer" }, "Seconds to wait before retrying."],
  "WWW-Authenticate":           [{ type: "string" },  "`Bearer`"],
};

export const commonHeaders = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
export const throttledHeader = "X-Pagination-Throttled";
export const pagingHeaders = [
  "Link",
  ...Object.keys(headerDescriptions).filter((name) => /^X-Pagination-(?!Throttled)/.test(name)),
];

export const buildHeaderRefs = (context: OpenApiContext, names: readonly string[]): Record<string, Ref> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      context.components.ref("headers", name, () => {
        const [schema, description] = headerDescriptions[name] as [Schema, string];
        return { description, schema };
      }),
    ]),
  );

export function buildJsonResponse(
  context: OpenApiContext,
  description: string,
  schema: Schema,
  example: unknown,
  more: readonly string[] = ["ETag"],
): Schema {
  return {
    description,
    headers: buildHeaderRefs(context, [...commonHeaders, ...more]),
    content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
  };
}

const shareResponse = (context: OpenApiContext, name: string, make: () => Schema): Ref =>
  context.components.ref("responses", name, make);

const revisionHeader = (type: Type): readonly string[] => (type.hasRevision ? ["X-Revision"] : []);

/** The answer to a change that was meant for another revision; none where the type counts no revisions. */
export const buildStaleResponses = (context: OpenApiContext, type: Type): Record<string, Ref> =>
  type.hasRevision
    ? {
        412: shareResponse(context, `${getSchemaName(type)}Stale`, () =>
          buildJsonResponse(
            context,
            "The revision in `If-Match` isn't current. Nothing was changed; `record` contains the current record.",
            {
              type: "object",
              required: ["message", "record"],
              properties: { message: { type: "string" }, record: buildRecordSchema(context, type) },
            },
            undefined,
            ["X-Revision"],
          ),
        ),
      }
    : {};

export const buildRecordResponse = (context: OpenApiContext, type: Type): Ref =>
  shareResponse(context, getSchemaName(type), () =>
    buildJsonResponse(
      context,
      `The ${toWords(type.name)}.`,
      buildRecordSchema(context, type),
      buildExampleRecord(context, type),
      ["ETag", ...revisionHeader(type)],
    ),
  );

export const buildSavedResponse = (context: OpenApiContext, type: Type): Ref =>
  shareResponse(context, `${getSchemaName(type)}Saved`, () =>
    buildJsonResponse(
      context,
      `The updated ${toWords(type.name)}.`,
      buildRecordSchema(context, type),
      buildExampleRecord(context, type),
      ["X-Ignored-Fields", ...revisionHeader(type)],
    ),
  );

export const buildCreatedResponse = (context: OpenApiContext, type: Type): Ref =>
  shareResponse(context, `${getSchemaName(type)}Created`, () =>
    buildJsonResponse(
      context,
      `The new ${toWords(type.name)}.`,
      buildRecordSchema(context, type),
      buildExampleRecord(context, type),
      [...(type.ownedBy.length > 0 ? [] : ["Location"]), "X-Ignored-Fields", ...revisionHeader(type)],
    ),
  );

export const buildPageResponse = (context: OpenApiContext, type: Type): Ref =>
  shareResponse(context, `${getSchemaName(type)}Page`, () =>
    buildJsonResponse(
      context,
      `A page of ${toWords(type.collection)}.`,
      { type: "array", items: buildRowSchema(context, type) },
      [buildExampleRecord(context, type, ["id", ...type.defaultFields])],
      ["ETag", ...pagingHeaders, ...(type.routes.cap === null ? [] : [throttledHeader])],
    ),
  );

export const buildNoContentResponse = (context: OpenApiContext): Ref =>
  shareResponse(context, "Done", () => ({
    description: "Done. No body.",
    headers: buildHeaderRefs(context, commonHeaders),
  }));

export const buildLinkedResponse = (context: OpenApiContext): Ref =>
  shareResponse(context, "Linked", () =>
    buildJsonResponse(context, "The records are linked.", { type: "object", maxProperties: 0 }, {}, []),
  );

/** Some types answer a POST with the id only. */
export const buildCreatedIdResponse = (context: OpenApiContext): Ref =>
  shareResponse(context, "CreatedId", () =>
    buildJsonResponse(
      context,
      "Created.",
      { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 1 } } },
      { id: 7 },
      ["X-Ignored-Fields"],
    ),
  );
