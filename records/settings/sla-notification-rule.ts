import { id, record, timestamps } from "../vocabulary/index.ts";

export const slaNotificationRule = record("sla_notification_rule", {
  collection: "sla_notification_rules",
  fields: { id, ...timestamps },
});
