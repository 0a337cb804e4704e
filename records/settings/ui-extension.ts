import { id, record, timestamps } from "../vocabulary/index.ts";

export const uiExtension = record("ui_extension", {
  collection: "ui_extensions",
  fields: { id, ...timestamps },
});
