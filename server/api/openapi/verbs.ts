import type { Type } from "../../engine/types.ts";
import { createdId, createdRecord, page, saved } from "./answers.ts";
import { requestBody } from "./bodies.ts";
import { preferHeader, sourceHeader } from "./call-parameters.ts";
import type { Context } from "./components.ts";
import { listParameters } from "./list-parameters.ts";
import { inSentence } from "./names.ts";
import type { Operation } from "./operation.ts";

// Listing, creating and changing, wherever in the tree of paths that happens.

type Called = { operationId: string; summary: string };

export const listing = (context: Context, type: Type, called: Called): Operation => ({
  ...called,
  description: `Sorted by \`${type.sort}\` unless \`sort\` says otherwise.`,
  parameters: listParameters(context, type),
  responses: { 200: page(context, type) },
});

export const creating = (context: Context, type: Type, status: number, called: Called): Operation => ({
  ...called,
  parameters: [preferHeader(context), ...("source" in type.fields ? [sourceHeader(context)] : [])],
  requestBody: requestBody(context, type, "create"),
  responses: { [status]: type.createResponse === "id" ? createdId(context) : createdRecord(context, type) },
});

/** PUT does what PATCH does, under a name of its own. */
export const changing = (context: Context, type: Type, method: string, which: string, name: string): Operation => ({
  operationId: `${method === "PUT" ? "put" : "update"}${name}`,
  summary: `Change ${which}${method === "PUT" ? " (the same as PATCH)" : ""}`,
  description: "Fields that are not named keep their value; `null` clears one.",
  parameters: [preferHeader(context)],
  requestBody: requestBody(context, type, "update"),
  responses: { 200: saved(context, type) },
});

/** The collection itself and its predefined filters, as parts of a path and as words. */
export const viewsOf = (type: Type): { view: string; suffix: string; words: string }[] => [
  { view: "", suffix: "", words: "" },
  ...Object.keys(type.views).map((view) => ({ view, suffix: `/${view}`, words: `: ${inSentence(view)}` })),
];
