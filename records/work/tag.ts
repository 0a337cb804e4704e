import { hiddenTimestamps, id, record, req, string } from "../vocabulary/index.ts";

// Linked by its name, which is one tag everywhere in an account.
// biome-ignore format: a table keeps its columns
export const tag = record("tag", {
  collection: "tags",
  routes: { onlyThroughLinks: true },
  fields: {
    id,
    name: req(string(128)),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "name"],
  sort:          "name",
  unique:        [["name"]],
});
