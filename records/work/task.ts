import { id, record, timestamps } from "../vocabulary/index.ts";

export const task = record("task", {
  collection: "tasks",
  fields: { id, ...timestamps },
});
