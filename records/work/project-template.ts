import { id, record, timestamps } from "../vocabulary/index.ts";

export const projectTemplate = record("project_template", {
  collection: "project_templates",
  fields: { id, ...timestamps },
});
