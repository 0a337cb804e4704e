import {
  accountRef,
  any,
  boolean,
  datetime,
  downloadLink,
  id,
  integer,
  record,
  ref,
  ro,
  rule,
  string,
  where,
} from "../vocabulary/index.ts";

// The files of all notes of a request.
// biome-ignore format: a table keeps its columns
export const noteAttachment = record("note_attachment", {
  collection: "note_attachments",
  ownedBy: ["request"],
  storage: { virtual: true, journal: true },
  access:  { visible: any(where({ internal: false }), rule("is internal to an account whose notes I may read")) },
  fields: {
    id,
    name:             ro(string()),
    key:              ro(string()),
    uri:              ro(downloadLink("key")),
    inline:           ro(boolean),
    size:             ro(integer(), "bytes"),
    note:             ro(ref("note")),
    request:          ro(ref("request"), { internal: true }),
    internal:         ro(boolean, { internal: true }),
    internal_account: ro(accountRef, { internal: true }),
    created_at:       ro(datetime),
    updated_at:       ro(datetime, { internal: true }),
  },
  defaultFields: ["id", "name", "key", "uri", "inline", "size", "note", "created_at"],
  sortable:      ["id", "created_at"],
  sort:          "id",
});
