import { id, record, timestamps } from "../vocabulary/index.ts";

export const request = record("request", {
  collection: "requests",
  fields: { id, ...timestamps },
});
