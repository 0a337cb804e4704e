import { id, record, timestamps } from "../vocabulary/index.ts";

export const noteReaction = record("note_reaction", {
  collection: "note_reactions",
  fields: { id, ...timestamps },
});
