import type { Type } from "../../engine/types.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildExampleRecord } from "./examples/example-records.ts";
import { getSchemaName, toWords } from "./names.ts";
import { buildRecordSchema, buildRowSchema } from "./record-schemas.ts";

// Successful responses: their headers, and the responses that all record types share.

// biome-ignore format: a table keeps its columns
const headerDescriptions: Record<string, [Schema, string]> = {
  "X-Request-Id":               [{ type: "string" },  "Name of this request in the log of the service."],
  "X-RateLimit-Limit":          [{ type: "integer" }, "Requests allowed in a window of one hour."],
  "X-RateLimit-Remaining":      [{ type: "integer" }, "Requests left in the window."],
  "X-RateLimit-Reset":          [{ type: "integer" }, "End of the window, in seconds since 1970, UTC."],
  "ETag":                       [{ type: "string" },  "Tag of this very content; send it back as `Etag` to get 304 while nothing changed."],
  "X-Revision":                 [{ type: "integer", minimum: 1 }, "Counts the changes of the record; send it back as `If-Match` to change this very state of it."],
  "Location":                   [{ type: "string", format: "uri" }, "Address of the new record in the user interface."],
  "X-Ignored-Fields":           [{ type: "string" },  "Members of the body that nothing was done with, when there were any."],
  "Link":                       [{ type: "string" },  "`<address>; rel=\"first\"`, `prev` and `next`, where there are such pages."],
  "X-Pagination-Per-Page":      [{ type: "integer" }, "Rows per page."],
  "X-Pagination-Current-Page":  [{ type: "integer" }, "Number of this page."],
  "X-Pagination-Total-Pages":   [{ type: "integer" }, "Number of pages."],
  "X-Pagination-Total-Entries": [{ type: "integer" }, "Number of rows on all pages. Exact unless `X-Pagination-Total-Age` is there."],
  "X-Pagination-Total-Age":     [{ type: "integer", minimum: 1, maximum: 60 }, "Seconds since the rows of a list of more than 10,000 were counted. The total has all changes by the caller; changes by others since then may be missing. Absent where the total is exact."],
  "X-Pagination-Start-Cursor":  [{ type: "string" },  "Cursor of the first row, for `search_before`. Not on an empty page."],
  "X-Pagination-End-Cursor":    [{ type: "string" },  "Cursor of the last row, for `search_after`. Not on an empty page."],
  "X-Pagination-Throttled":     [{ type: "string", const: "true" }, "More records match than this list goes through."],
  "Retry-After":                [{ type: "integer" }, "Seconds to wait before the next try."],
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
            "`If-Match` names another revision. Nothing was changed; `record` is the record as it is now.",
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
      `The ${toWords(type.name)} as it is now.`,
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
