import { id, record, timestamps } from "../vocabulary/index.ts";

export const broadcastTranslation = record("broadcast_translation", {
  collection: "broadcast_translations",
  fields: { id, ...timestamps },
});
