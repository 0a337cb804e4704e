import { overseers } from "../people/roles.ts";
import {
  confidential,
  datetime,
  hash,
  id,
  integer,
  onlyIfSelected,
  record,
  ref,
  ro,
  string,
  subject,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const auditLine = record("audit_line", {
  collection: "audit_lines",
  storage: { journal: true, grows: true },
  access: { restricted: true },
  routes: { cap: 100_000, specialFilters: ["person", "audited", "record", "field", "origin"] },
  deletion: { expires: { since: "created_at" } },
  display: "id",
  fields: {
    id,
    action:     ro(string(10), "create, update, destroy or info"),
    audited:    ro(string(80), "name of the record type"),
    record_id:  ro(integer(), { internal: true }),
    record:     ro(subject("audited", "record_id", "reference")),
    created_by: ro(ref("person"), "the person who caused the change"),
    user:       ro(ref("person"), "the person whose session was used"),
    changes:    ro(hash, "maps field names to [old value, new value]"),
    origin:     ro(hash, "how the change was made: browser, API, import, rule …", onlyIfSelected, confidential(overseers, [])),
    created_at: ro(datetime),
  },
  defaultFields: ["id", "action", "audited", "record", "created_by", "created_at"],
  filterable:    ["id", "created_at"],
  sortable:      ["id", "created_at"],
  sort:          "-id",
});
