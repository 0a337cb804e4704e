import { datetime, id, integer, record, ref, ro, string, subject } from "../vocabulary/index.ts";

// AR11. An entry is there as long as its record is archived.
// biome-ignore format: a table keeps its columns
export const archiveEntry = record("archive_entry", {
  collection: "archive",
  storage: { journal: true, grows: true },
  access: { restricted: true },
  routes: { specialFilters: ["type"] },
  display: "id",
  fields: {
    id,
    archived:    ro(string(80), "name of the record type"),
    record_id:   ro(integer(), { internal: true }),
    record:      ro(subject("archived", "record_id", "entry")),
    archived_by: ro(ref("person"), "empty if archived by the retention policy"),
    created_at:  ro(datetime),
  },
  defaultFields: ["id", "archived", "record", "archived_by", "created_at"],
  filterable:    ["id", "created_at"],
  sortable:      ["id", "created_at"],
  sort:          "-created_at",
});
