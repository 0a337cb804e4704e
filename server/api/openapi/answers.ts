import type { Type } from "../../engine/types.ts";
import type { Context, Ref, Schema } from "./components.ts";
import { exampleRecord } from "./examples.ts";
import { inSentence, schemaName } from "./names.ts";
import { rowOf, wholeRecord } from "./records.ts";

// Answers that went well: their headers, and the answers record types have in common.

// biome-ignore format: a table keeps its columns
const headers: Record<string, [Schema, string]> = {
  "X-Request-Id":               [{ type: "string" },  "Name of this request in the log of the service."],
  "X-RateLimit-Limit":          [{ type: "integer" }, "Requests allowed in a window of one hour."],
  "X-RateLimit-Remaining":      [{ type: "integer" }, "Requests left in the window."],
  "X-RateLimit-Reset":          [{ type: "integer" }, "End of the window, in seconds since 1970, UTC."],
  "ETag":                       [{ type: "string" },  "Tag of this very content; send it back as `Etag` to get 304 while nothing changed."],
  "Location":                   [{ type: "string", format: "uri" }, "Address of the new record in the user interface."],
  "X-Ignored-Fields":           [{ type: "string" },  "Members of the body that nothing was done with, when there were any."],
  "Link":                       [{ type: "string" },  "`<address>; rel=\"first\"`, `prev` and `next`, where there are such pages."],
  "X-Pagination-Per-Page":      [{ type: "integer" }, "Rows per page."],
  "X-Pagination-Current-Page":  [{ type: "integer" }, "Number of this page."],
  "X-Pagination-Total-Pages":   [{ type: "integer" }, "Number of pages."],
  "X-Pagination-Total-Entries": [{ type: "integer" }, "Number of rows on all pages."],
  "X-Pagination-Start-Cursor":  [{ type: "string" },  "Cursor of the first row, for `search_before`. Not on an empty page."],
  "X-Pagination-End-Cursor":    [{ type: "string" },  "Cursor of the last row, for `search_after`. Not on an empty page."],
  "X-Pagination-Throttled":     [{ type: "string", const: "true" }, "More records match than this list goes through."],
  "Retry-After":                [{ type: "integer" }, "Seconds to wait before the next try."],
  "WWW-Authenticate":           [{ type: "string" },  "`Bearer`"],
};

export const always = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
export const throttled = "X-Pagination-Throttled";
export const paging = ["Link", ...Object.keys(headers).filter((name) => /^X-Pagination-(?!Throttled)/.test(name))];

export const headerRefs = (context: Context, names: readonly string[]): Record<string, Ref> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      context.components.ref("headers", name, () => {
        const [schema, description] = headers[name] as [Schema, string];
        return { description, schema };
      }),
    ]),
  );

export function jsonAnswer(
  context: Context,
  description: string,
  schema: Schema,
  example: unknown,
  more: readonly string[] = ["ETag"],
): Schema {
  return {
    description,
    headers: headerRefs(context, [...always, ...more]),
    content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
  };
}

const shared = (context: Context, name: string, make: () => Schema): Ref =>
  context.components.ref("responses", name, make);

export const found = (context: Context, type: Type): Ref =>
  shared(context, schemaName(type), () =>
    jsonAnswer(context, `The ${inSentence(type.name)}.`, wholeRecord(context, type), exampleRecord(context, type)),
  );

export const saved = (context: Context, type: Type): Ref =>
  shared(context, `${schemaName(type)}Saved`, () =>
    jsonAnswer(
      context,
      `The ${inSentence(type.name)} as it is now.`,
      wholeRecord(context, type),
      exampleRecord(context, type),
      ["X-Ignored-Fields"],
    ),
  );

export const createdRecord = (context: Context, type: Type): Ref =>
  shared(context, `${schemaName(type)}Created`, () =>
    jsonAnswer(
      context,
      `The new ${inSentence(type.name)}.`,
      wholeRecord(context, type),
      exampleRecord(context, type),
      type.ownedBy.length > 0 ? ["X-Ignored-Fields"] : ["Location", "X-Ignored-Fields"],
    ),
  );

export const page = (context: Context, type: Type): Ref =>
  shared(context, `${schemaName(type)}Page`, () =>
    jsonAnswer(
      context,
      `A page of ${inSentence(type.collection)}.`,
      { type: "array", items: rowOf(context, type) },
      [exampleRecord(context, type, ["id", ...type.defaultFields])],
      ["ETag", ...paging, ...(type.cap === null ? [] : [throttled])],
    ),
  );

export const done = (context: Context): Ref =>
  shared(context, "Done", () => ({ description: "Done. No body.", headers: headerRefs(context, always) }));

export const linked = (context: Context): Ref =>
  shared(context, "Linked", () =>
    jsonAnswer(context, "The records are linked.", { type: "object", maxProperties: 0 }, {}, []),
  );

/** Some records are told by their id alone. */
export const createdId = (context: Context): Ref =>
  shared(context, "CreatedId", () =>
    jsonAnswer(
      context,
      "Created.",
      { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 1 } } },
      { id: 7 },
      ["X-Ignored-Fields"],
    ),
  );
