import { boolean, byDefault, id, integer, opt, record, ref, req, ro, timestamps } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const slaNotificationRule = record("sla_notification_rule", {
  collection: "sla_notification_rules",
  ownedBy: ["sla_notification_scheme"],
  fields: {
    id,
    sla_notification_scheme:            ro(ref("sla_notification_scheme"), { internal: true }),
    threshold_percentage:               req(integer({ min: 1, max: 999 }), "percentage of the target duration; above 100: after the target"),
    notify_current_assignee:            opt(boolean, byDefault(false)),
    notify_service_owner:               opt(boolean, byDefault(false)),
    notify_support_team_manager:        opt(boolean, byDefault(false)),
    notify_support_team_coordinator:    opt(boolean, byDefault(false)),
    notify_first_line_team_manager:     opt(boolean, byDefault(false)),
    notify_first_line_team_coordinator: opt(boolean, byDefault(false)),
    ...timestamps,
  },
  defaultFields: [
    "id", "threshold_percentage", "notify_current_assignee", "notify_service_owner", "notify_support_team_manager",
    "notify_support_team_coordinator", "notify_first_line_team_manager", "notify_first_line_team_coordinator",
    "created_at", "updated_at",
  ],
  sort:          "threshold_percentage",
  unique:        [["sla_notification_scheme", "threshold_percentage"]],
});
