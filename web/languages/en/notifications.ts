// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Mark all as read",
  "notifications.none": "No notifications yet",
  "notifications.noneLead": "Mentions, assignments, approvals and replies will appear here.",
  "notifications.older": "Show older",
  "notifications.unread": "Unread",
  "notifications.mute": "Mute this record",
  "notifications.unmute": "Unmute this record",
  "notifications.allow": "Notify me in the browser",
  "notifications.text": { by: "kind", mention: "{by} mentioned you in", assignment: "{by} assigned you to", approval: "{by} requested your approval for", answer: "{by} replied to", target: "Target due soon for", team: "{by} assigned your team to", watched: "New activity on", halted: "Progress halted on", other: "{by} changed" },
} as const;
