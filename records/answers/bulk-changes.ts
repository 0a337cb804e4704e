import {
  boolean,
  datetime,
  defaultsTo,
  either,
  hash,
  integer,
  list,
  map,
  noted,
  object,
  operations,
  optional,
  string,
  tuple,
  typeName,
  withExample,
  word,
} from "../vocabulary/index.ts";
import { exampleToken, jobToken } from "./exchange.ts";

// Bulk changes.

const tag = "Bulk changes";
const count = integer({ min: 0 });

export const bulkOrder = object({
  collection: typeName("bulk-changeable"),
  ids: optional(list(integer(), 10_000, 1)),
  query: noted("instead of `ids`: the query of the list, such as `state=open&team=17`", optional(string())),
  change: noted("the members of the body of a PATCH", optional(hash)),
  link: noted(
    "links that every record gets: by the name of the link, ids of records, or names of tags",
    withExample({ tags: ["office move"] }, optional(map(list(either(integer(), string()), 20, 1)))),
  ),
  note: noted("a note that every record gets", optional(string())),
  dry_run: noted("tries it on the first 100 records and changes nothing", defaultsTo(false, boolean)),
});

export const bulkRefusal = object({
  id: integer(),
  errors: noted("pairs of field and message", list(tuple(string(), string()))),
});
export const bulkPreview = object({ total: count, checked: count, refused: list(bulkRefusal) });
export const bulkProgress = object({
  state: word("queued", "processing", "done", "canceled", "undoing", "undone"),
  total: count,
  done: noted("records that were tried; while undoing, of those that were changed", count),
  changed: count,
  undone: count,
  refused: noted("the first 1,000", list(bulkRefusal)),
  undo_until: noted("until then the change can be undone", optional(datetime)),
});
const progress = {
  answer: bulkProgress,
  example: {
    state: "processing",
    total: 31,
    done: 12,
    changed: 11,
    undone: 0,
    refused: [{ id: 48_213, errors: [["base", "Forbidden"]] }],
  },
};

export const bulkChangeOperations = operations({
  "POST /bulk_changes": {
    tag,
    id: "startBulkChange",
    summary: "Change records in bulk",
    description:
      "At most 10,000 records, each with the rights of the caller. The token also needs the scope to update the records. A job changes them one after the other; a record that refuses the change is reported, and the others are changed.",
    body: bulkOrder,
    bodyExample: { collection: "requests", query: "state=open&team=17", change: { member_id: 77 } },
    status: 202,
    answer: jobToken,
    answers: "The name to ask for its progress.",
    example: exampleToken,
    otherAnswers: {
      200: {
        answer: bulkPreview,
        answers: "With `dry_run`: what would be refused.",
        example: { total: 31, checked: 31, refused: [] },
      },
    },
  },
  "GET /bulk_changes/:token": {
    tag,
    id: "getBulkChange",
    summary: "Retrieve the progress of a bulk change",
    description: "For the person who started it, until a day after its end.",
    ...progress,
    answers: "How far it has come.",
  },
  "DELETE /bulk_changes/:token": {
    tag,
    id: "cancelBulkChange",
    summary: "Cancel a bulk change",
    description: "Records that were changed stay changed, unless the bulk change is undone.",
    ...progress,
    answers: "Where it ended.",
  },
  "POST /bulk_changes/:token/undo": {
    tag,
    id: "undoBulkChange",
    summary: "Undo a bulk change",
    description: "Within ten minutes after its end. Fields that were changed since stay as they are; notes stay.",
    status: 202,
    ...progress,
    answers: "The undo has begun.",
  },
});
