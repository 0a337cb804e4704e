import { id, record, timestamps } from "../vocabulary/index.ts";

export const broadcast = record("broadcast", {
  collection: "broadcasts",
  fields: { id, ...timestamps },
});
