import { datetime, downloadLink, id, record, ref, ro, string } from "../vocabulary/index.ts";

// Written by the mail interface alone.
// biome-ignore format: a table keeps its columns
export const inboundEmail = record("inbound_email", {
  collection: "inbound_emails",
  ownedBy: ["request"],
  storage: { journal: true },
  display: "subject",
  fields: {
    id,
    request:        ro(ref("request"), { internal: true }),
    message_id:     ro(string()),
    from:           ro(string()),
    to:             ro(string()),
    cc:             ro(string()),
    subject:        ro(string()),
    body_start:     ro(string(255)),
    source_key:     ro(string(), { internal: true }),
    source_uri:     ro(downloadLink("source_key")),
    note:           ro(ref("note")),
    failure_reason: ro(string()),
    created_at:     ro(datetime),
    updated_at:     ro(datetime, { internal: true }),
  },
  defaultFields: ["id", "created_at", "message_id", "from", "to", "cc", "subject", "body_start", "source_uri", "note", "failure_reason"],
  sortable:      ["id", "created_at"],
  sort:          "id",
});
