import { id, record, timestamps } from "../vocabulary/index.ts";

export const note = record("note", {
  collection: "notes",
  fields: { id, ...timestamps },
});
