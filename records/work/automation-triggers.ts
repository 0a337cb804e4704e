// When an automation rule may run: TR1 to TR11. Stored in lower case.

const watchedFields = [
  ...["status", "source", "major incident status", "completion target"],
  ...["team", "member", "manager", "impact", "category", "service instance", "template", "workflow", "problem"],
  ...["project", "desired completion", "custom fields", "agile board column", "satisfaction", "urgent", "start"],
  ...["waiting until", "phase", "support team", "site", "users", "name", "label", "sourceid"],
];

export const automationTriggers: readonly string[] = [
  "on create",
  ...watchedFields.map((field) => `on ${field} update`),
  "on note added",
  "on update",
  "on delete",
  "after delay",
];
