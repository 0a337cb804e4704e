import { id, record, timestamps } from "../vocabulary/index.ts";

export const appOfferingAutomationRule = record("app_offering_automation_rule", {
  collection: "app_offering_automation_rules",
  fields: { id, ...timestamps },
});
