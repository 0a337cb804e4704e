import {
  acrossAccounts,
  boolean,
  byDefault,
  id,
  integer,
  onCreateOnly,
  opt,
  record,
  ref,
  ro,
  timestamps,
  unselectable,
} from "../vocabulary/index.ts";

// Exactly one of the four records is the item.
// biome-ignore format: a table keeps its columns
export const sprintBacklogItem = record("sprint_backlog_item", {
  collection: "sprint_backlog_items",
  ownedBy: ["sprint"],
  storage: { placement: "account" },
  fields: {
    id,
    position:     opt(integer({ min: 1 }), "position from the top, starting at 1"),
    estimate:     opt(integer({ min: 0 }), "relative size"),
    planned:      ro(boolean, byDefault(false), "whether the item was part of the sprint when the sprint started"),
    done:         ro(boolean, "whether the item was completed in this sprint; empty if it was removed from the sprint"),
    sprint:       ro(ref("sprint")),
    request:      opt(ref("request"), onCreateOnly, unselectable, acrossAccounts),
    problem:      opt(ref("problem"), onCreateOnly, unselectable),
    task:         opt(ref("task"), onCreateOnly, unselectable),
    project_task: opt(ref("project_task"), onCreateOnly, unselectable),
    ...timestamps,
  },
  defaultFields: ["id", "position", "estimate", "sprint", "request", "problem", "task", "project_task", "created_at", "updated_at"],
  filterable:    ["created_at", "updated_at"],
  sortable:      ["position", "created_at", "updated_at"],
  sort:          "position",
});
