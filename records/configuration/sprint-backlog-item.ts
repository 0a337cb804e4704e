import { id, record, timestamps } from "../vocabulary/index.ts";

export const sprintBacklogItem = record("sprint_backlog_item", {
  collection: "sprint_backlog_items",
  fields: { id, ...timestamps },
});
