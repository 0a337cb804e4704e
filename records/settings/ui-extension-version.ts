import { id, record, timestamps } from "../vocabulary/index.ts";

export const uiExtensionVersion = record("ui_extension_version", {
  collection: "ui_extension_versions",
  fields: { id, ...timestamps },
});
