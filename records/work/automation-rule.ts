import { id, record, timestamps } from "../vocabulary/index.ts";

export const automationRule = record("automation_rule", {
  collection: "automation_rules",
  fields: { id, ...timestamps },
});
