import {
  answer,
  anything,
  boolean,
  datetime,
  defaultsTo,
  integer,
  list,
  map,
  named,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
} from "../vocabulary/index.ts";
import type { AnswerOf } from "./answer-of.ts";

// Data that the web interface stores on the server: views, drafts, pins and the like (D-230).

export const keptItem = answer("KeptItem", {
  key: string(),
  owner: noted("The owner of the item: `me`, `account` or `team:<id>`.", string()),
  team: noted("The team, if the item belongs to one.", optional(named)),
  value: noted("The stored value. The server doesn't interpret it.", map(anything)),
  updated_at: datetime,
  updated_by: orNull(object({ id: integer(), name: orNull(string()) })),
  may_change: boolean,
});
export type StoredItem = AnswerOf<typeof keptItem>;

const kinds = "`view`, `draft`, `pin`, `dashboard`, `snippet`, `preference`, `recent`, `tour` or `portal`";
const owner = noted("The owner of the item: `me`, `account` or `team:<id>`.", defaultsTo("me", string()));

export const keptItemOperations = operations({
  "GET /kept_items/:kind": {
    id: "listKeptItems",
    summary: "List stored interface items of one kind",
    description: `\`kind\` is one of ${kinds}.`,
    query: {
      owner: noted(
        "Only items of this owner: `me`, `account` or `team:<id>`. By default, returns the caller's own items and those of the caller's teams and of the account.",
        optional(string()),
      ),
    },
    answer: list(keptItem),
    answers: "A list of items.",
  },
  "GET /kept_items/:kind/:key": {
    id: "getKeptItem",
    summary: "Retrieve a stored interface item",
    description: `\`kind\` is one of ${kinds}.`,
    query: { owner },
    answer: keptItem,
    answers: "The item.",
  },
  "PUT /kept_items/:kind/:key": {
    id: "putKeptItem",
    summary: "Create or replace a stored interface item",
    description: `\`kind\` is one of ${kinds}. Team items can be changed by the manager and coordinator of the team; team and account items by designers, administrators and managers.`,
    query: { owner },
    body: object({ value: noted("The value to store, at most 64 KB.", map(anything)) }),
    bodyExample: { value: { name: "Open requests", query: "status=assigned" } },
    answer: keptItem,
    answers: "The item.",
  },
  "DELETE /kept_items/:kind/:key": {
    id: "deleteKeptItem",
    summary: "Delete a stored item",
    description: `\`kind\` is one of ${kinds}.`,
    query: { owner },
    answer: null,
  },
});
