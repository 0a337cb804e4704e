import { id, record, timestamps } from "../vocabulary/index.ts";

export const watch = record("watch", {
  collection: "watches",
  fields: { id, ...timestamps },
});
