import { id } from "./basics.ts";
import type { Context, Ref, Schema } from "./components.ts";
import { inSentence } from "./names.ts";

// What calls of all kinds have in common: the parts of their paths, and the headers they send.

const identifier: Schema = { anyOf: [id, { type: "string", pattern: "^[A-Za-z0-9_-]{8,200}$" }] };

const pathWords: Record<string, string> = {
  id: "The record: its `id` or its `nodeID`.",
  account: "The id of an account.",
  language: "A value of enumeration `language`.",
};

/** The parameters a path names; those without a word of their own name the record below the first one. */
export function pathParameter(context: Context, name: string): Ref {
  return context.components.ref("parameters", `path-${name}`, () => {
    const isRecord = ["id", "other", "child"].includes(name);
    return {
      name,
      in: "path",
      required: true,
      description: pathWords[name] ?? (isRecord ? "The record below it: its `id` or its `nodeID`." : inSentence(name)),
      schema: isRecord ? context.components.ref("schemas", "Identifier", () => identifier) : { type: "string" },
    };
  });
}

const inHeader = (context: Context, name: string, schema: Schema, description: string, more: Schema = {}): Ref =>
  context.components.ref("parameters", `header-${name}`, () => ({ name, in: "header", description, schema, ...more }));

export const languageHeader = (context: Context): Ref =>
  inHeader(
    context,
    "language",
    { type: "string" },
    "Language of labels and messages, a value of enumeration `language`; default: that of the caller. `X-Xurrent-Language` and `X-4me-Language` mean the same.",
    { "x-aliases": ["X-Xurrent-Language", "X-4me-Language"] },
  );

export const etagHeader = (context: Context): Ref =>
  inHeader(
    context,
    "Etag",
    { type: "string" },
    "The `ETag` of an earlier answer: 304 when nothing changed since. `If-None-Match` means the same.",
    { "x-aliases": ["If-None-Match"] },
  );

export const preferHeader = (context: Context): Ref =>
  inHeader(
    context,
    "Prefer",
    { type: "string", enum: ["handling=strict"] },
    "`handling=strict`: members that are unknown or readonly are a 422 instead of being ignored.",
  );

export const sourceHeader = (context: Context): Ref =>
  inHeader(
    context,
    "X-Xurrent-Source",
    { type: "string", maxLength: 30 },
    "The `source` of what is created, where the body names none; default: the `User-Agent`. `X-4me-Source` means the same.",
    { "x-aliases": ["X-4me-Source"] },
  );
