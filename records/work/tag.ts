import { id, record, timestamps } from "../vocabulary/index.ts";

export const tag = record("tag", {
  collection: "tags",
  fields: { id, ...timestamps },
});
