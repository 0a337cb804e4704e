import { datetime, id, integer, record, ref, ro, string, subject } from "../vocabulary/index.ts";

// AR11. An entry is there as long as its record is trashed.
// biome-ignore format: a table keeps its columns
export const trashEntry = record("trash_entry", {
  collection: "trash",
  storage: { journal: true, grows: true },
  access: { restricted: true },
  routes: { specialFilters: ["type"] },
  display: "id",
  fields: {
    id,
    trashed:    ro(string(80), "name of the record type"),
    record_id:   ro(integer(), { internal: true }),
    record:      ro(subject("trashed", "record_id", "entry")),
    trashed_by: ro(ref("person"), "empty if trashed by the retention policy"),
    created_at:  ro(datetime),
  },
  defaultFields: ["id", "trashed", "record", "trashed_by", "created_at"],
  filterable:    ["id", "created_at"],
  sortable:      ["id", "created_at"],
  sort:          "-created_at",
});
