// biome-ignore format: one message per line
export const notifications = {
  "notifications.readAll": "Mark all as read",
  "notifications.none": "Nothing new for you",
  "notifications.noneLead": "Mentions, assignments, approvals and answers appear here.",
  "notifications.older": "Show older",
  "notifications.unread": "Unread",
  "notifications.mute": "Mute this record",
  "notifications.unmute": "Hear of this record again",
  "notifications.allow": "Also tell me when I am away",
  "notifications.text": { by: "kind", mention: "{by} mentioned you in", assignment: "{by} assigned to you", approval: "{by} asks for your approval of", answer: "{by} wrote about", target: "A target is near for", team: "{by} gave your team", watched: "News about", halted: "Work has halted on", other: "{by} changed" },
} as const;
