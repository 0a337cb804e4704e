import { idSchema } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { toWords } from "./names.ts";

// Path parameters and request headers that many operations share.

const identifier: Schema = { anyOf: [idSchema, { type: "string", pattern: "^[A-Za-z0-9_-]{8,200}$" }] };

const pathDescriptions: Record<string, string> = {
  id: "The `id` or `nodeID` of the record.",
  account: "The id of an account.",
  language: "A value of the `language` enumeration.",
};

/** `other` and `child` identify the record below the first one. */
export function buildPathParameter(context: OpenApiContext, name: string): Ref {
  return context.components.ref("parameters", `path-${name}`, () => {
    const isRecord = ["id", "other", "child"].includes(name);
    return {
      name,
      in: "path",
      required: true,
      description: pathDescriptions[name] ?? (isRecord ? "The `id` or `nodeID` of the nested record." : toWords(name)),
      schema: isRecord ? context.components.ref("schemas", "Identifier", () => identifier) : { type: "string" },
    };
  });
}

const buildHeaderParameter = (
  context: OpenApiContext,
  name: string,
  schema: Schema,
  description: string,
  extensions: Schema = {},
): Ref =>
  context.components.ref("parameters", `header-${name}`, () => ({
    name,
    in: "header",
    description,
    schema,
    ...extensions,
  }));

export const buildLanguageHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "language",
    { type: "string" },
    "The language of labels and messages, a value of the `language` enumeration. Default: the language of the caller. `X-Xurrent-Language` and `X-4me-Language` are aliases.",
    { "x-aliases": ["X-Xurrent-Language", "X-4me-Language"] },
  );

export const buildEtagHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "Etag",
    { type: "string" },
    "The `ETag` of an earlier response. If nothing has changed since, the response is 304. `If-None-Match` is an alias.",
    { "x-aliases": ["If-None-Match"] },
  );

export const buildPreferHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "Prefer",
    { type: "string", enum: ["handling=strict"] },
    "`handling=strict`: unknown and read-only members cause a 422 instead of being ignored.",
  );

export const buildIdempotencyKeyHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "Idempotency-Key",
    { type: "string", pattern: "^[!-~]{1,255}$" },
    "A value that is unique among the person's calls, such as a UUID. Repeating the same call with the same key within 24 hours changes nothing and returns the response of the first call, with the header `Idempotency-Replayed: true`. Only successful responses are stored.",
  );

export const buildIfMatchHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "If-Match",
    { type: "string", pattern: '^\\s*(\\*|"\\d+"(\\s*,\\s*"\\d+")*)\\s*$' },
    'The last `X-Revision` of the record that the caller received, in quotes: `"7"`. If the record has changed since, nothing is saved and the response is 412.',
  );

export const buildSourceHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "X-Xurrent-Source",
    { type: "string", maxLength: 30 },
    "The `source` of the created record, if the body doesn't contain one. Default: the `User-Agent`. `X-4me-Source` is an alias.",
    { "x-aliases": ["X-4me-Source"] },
  );
