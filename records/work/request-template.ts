import { id, record, timestamps } from "../vocabulary/index.ts";

export const requestTemplate = record("request_template", {
  collection: "request_templates",
  fields: { id, ...timestamps },
});
