import {
  accountRef,
  defaultCaller,
  derived,
  id,
  indexed,
  record,
  ref,
  req,
  ro,
  storedAs,
  timestamps,
} from "../vocabulary/index.ts";

// NO3
// biome-ignore format: a table keeps its columns
export const watch = record("watch", {
  collection: "watches",
  ownedBy: ["request"],
  display: "id",
  fields: {
    id,
    request:  ro(ref("request"), { internal: true }),
    person:   req(ref("person"), indexed, "the watcher"),
    added_by: ro(ref("person"), defaultCaller),
    account:  ro(accountRef, storedAs("watch_account_id"), derived({ rule: "where it was added" })),
    ...timestamps,
  },
  defaultFields: ["id", "person", "added_by", "account", "created_at", "updated_at"],
  sort: "id",
});
