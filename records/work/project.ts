import { id, record, timestamps } from "../vocabulary/index.ts";

export const project = record("project", {
  collection: "projects",
  fields: { id, ...timestamps },
});
