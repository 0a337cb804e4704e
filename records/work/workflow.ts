import { id, record, timestamps } from "../vocabulary/index.ts";

export const workflow = record("workflow", {
  collection: "workflows",
  fields: { id, ...timestamps },
});
