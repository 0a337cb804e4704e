import { id, record, timestamps } from "../vocabulary/index.ts";

export const release = record("release", {
  collection: "releases",
  fields: { id, ...timestamps },
});
