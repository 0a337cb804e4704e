import { idSchema } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { toWords } from "./names.ts";

// Path parameters and request headers that many operations share.

const identifier: Schema = { anyOf: [idSchema, { type: "string", pattern: "^[A-Za-z0-9_-]{8,200}$" }] };

const pathDescriptions: Record<string, string> = {
  id: "The record: its `id` or its `nodeID`.",
  account: "The id of an account.",
  language: "A value of enumeration `language`.",
};

/** `other` and `child` identify the record below the first one. */
export function buildPathParameter(context: OpenApiContext, name: string): Ref {
  return context.components.ref("parameters", `path-${name}`, () => {
    const isRecord = ["id", "other", "child"].includes(name);
    return {
      name,
      in: "path",
      required: true,
      description:
        pathDescriptions[name] ?? (isRecord ? "The record below it: its `id` or its `nodeID`." : toWords(name)),
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
    "Language of labels and messages, a value of enumeration `language`; default: that of the caller. `X-Xurrent-Language` and `X-4me-Language` mean the same.",
    { "x-aliases": ["X-Xurrent-Language", "X-4me-Language"] },
  );

export const buildEtagHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "Etag",
    { type: "string" },
    "The `ETag` of an earlier answer: 304 when nothing changed since. `If-None-Match` means the same.",
    { "x-aliases": ["If-None-Match"] },
  );

export const buildPreferHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "Prefer",
    { type: "string", enum: ["handling=strict"] },
    "`handling=strict`: members that are unknown or readonly are a 422 instead of being ignored.",
  );

export const buildIdempotencyKeyHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "Idempotency-Key",
    { type: "string", pattern: "^[!-~]{1,255}$" },
    "A text that no other call of the person has, such as a UUID. Repeating the same call with the same key within 24 hours changes nothing and gives the answer of the first call, with the header `Idempotency-Replayed: true`. Only successful answers are kept.",
  );

export const buildIfMatchHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "If-Match",
    { type: "string", pattern: '^\\s*(\\*|"\\d+"(\\s*,\\s*"\\d+")*)\\s*$' },
    'The `X-Revision` of the record as the caller knows it, in quotes: `"7"`. When the record has changed since, nothing is done and the answer is 412.',
  );

export const buildSourceHeader = (context: OpenApiContext): Ref =>
  buildHeaderParameter(
    context,
    "X-Xurrent-Source",
    { type: "string", maxLength: 30 },
    "The `source` of what is created, where the body names none; default: the `User-Agent`. `X-4me-Source` means the same.",
    { "x-aliases": ["X-4me-Source"] },
  );
