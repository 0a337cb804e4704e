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
  query: noted("alternative to `ids`: a list query, such as `state=open&team=17`", optional(string())),
  change: noted("the fields to set, as in the body of a PATCH", optional(hash)),
  link: noted(
    "links to add to every record: the name of each link, with record ids or tag names",
    withExample({ tags: ["office move"] }, optional(map(list(either(integer(), string()), 20, 1)))),
  ),
  note: noted("a note to add to every record", optional(string())),
  dry_run: noted("tests the change on the first 100 records without changing anything", defaultsTo(false, boolean)),
});

export const bulkRefusal = object({
  id: integer(),
  errors: noted("pairs of a field and a message", list(tuple(string(), string()))),
});
export const bulkPreview = object({ total: count, checked: count, refused: list(bulkRefusal) });
export const bulkProgress = object({
  state: word("queued", "processing", "done", "canceled", "undoing", "undone"),
  total: count,
  done: noted("number of records processed; during an undo, number of changed records processed", count),
  changed: count,
  undone: count,
  refused: noted("the first 1,000 rejected records", list(bulkRefusal)),
  undo_until: noted("the change can be undone until this time", optional(datetime)),
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
      "Updates at most 10,000 records with the permissions of the caller. The token also needs the scope to update these records. A background job updates the records one by one; records that can't be updated are reported and don't affect the others.",
    body: bulkOrder,
    bodyExample: { collection: "requests", query: "state=open&team=17", change: { member_id: 77 } },
    status: 202,
    answer: jobToken,
    answers: "The token for retrieving the progress.",
    example: exampleToken,
    otherAnswers: {
      200: {
        answer: bulkPreview,
        answers: "With `dry_run`: the records that would be rejected.",
        example: { total: 31, checked: 31, refused: [] },
      },
    },
  },
  "GET /bulk_changes/:token": {
    tag,
    id: "getBulkChange",
    summary: "Retrieve the progress of a bulk change",
    description: "Available to the person who started the bulk change, until one day after it ends.",
    ...progress,
    answers: "The current progress.",
  },
  "DELETE /bulk_changes/:token": {
    tag,
    id: "cancelBulkChange",
    summary: "Cancel a bulk change",
    description: "Records that have already been changed stay changed unless the bulk change is undone.",
    ...progress,
    answers: "The final progress.",
  },
  "POST /bulk_changes/:token/undo": {
    tag,
    id: "undoBulkChange",
    summary: "Undo a bulk change",
    description:
      "Available for ten minutes after the bulk change ends. Fields changed since then keep their values, and notes aren't removed.",
    status: 202,
    ...progress,
    answers: "The undo has started.",
  },
});
