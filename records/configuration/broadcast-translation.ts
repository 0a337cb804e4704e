import {
  alwaysSet,
  attachments,
  attachmentsOf,
  id,
  language,
  opt,
  record,
  ref,
  req,
  ro,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const broadcastTranslation = record("broadcast_translation", {
  collection: "broadcast_translations",
  ownedBy: ["broadcast"],
  display: "locale",
  fields: {
    id,
    broadcast:           ro(ref("broadcast"), alwaysSet, { internal: true }),
    locale:              opt(language),
    message:             req(text),
    attachments:         ro(attachments),
    message_attachments: wo(attachmentsOf("message")),
    ...timestamps,
  },
  defaultFields: ["id", "locale", "created_at", "updated_at"],
  filterable:    ["id", "locale", "created_at", "updated_at"],
  sortable:      ["id", "locale", "message", "created_at", "updated_at"],
  sort:          "-created_at",
  unique:        [["broadcast", "locale"]],
});
