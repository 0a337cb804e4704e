import {
  choiceAmong,
  defaultCaller,
  hiddenTimestamps,
  id,
  onCreateOnly,
  record,
  ref,
  req,
  ro,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const noteReaction = record("note_reaction", {
  collection: "note_reactions",
  storage: { placement: "account" },
  deletion: { deletable: true },
  display: "reaction",
  fields: {
    id,
    note:     req(ref("note"), onCreateOnly),
    reaction: req(choiceAmong("note_reaction.reaction", ["👍", "👎", "😀", "😕", "🎉", "❤️"])),
    person:   ro(ref("person"), defaultCaller),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "reaction", "person"],
  filterable:    ["id", "note"],
  sort:          "id",
});
