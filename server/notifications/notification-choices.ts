import { widerKinds } from "../../records/notifications/kinds.ts";
import { pageNotificationKinds } from "../../records/notifications/page-notifications.ts";

// D-284: which kinds of notifications a person wants in the page and by mail. The web interface stores it as it stores
// other preferences; what it does not name is wanted.

export type NotificationChannel = "page" | "mail";
/** "mail mention": not wanted */
export type UnwantedNotifications = ReadonlySet<string>;

/** The key under which the profile stores it. */
export const notificationChoicesKey = "notifications";

/** `text`: {"mention": {"page": true, "mail": false}, ...}; callers can store any text there. */
export function parseUnwanted(text: string | null): UnwantedNotifications {
  if (text === null) return new Set();
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return new Set();
  const unwanted = new Set<string>();
  const chosen = new Set<string>();
  for (const [kind, choice] of Object.entries(value) as [string, unknown][]) {
    if (typeof choice !== "object" || choice === null) continue;
    for (const [channel, isWanted] of Object.entries(choice)) {
      chosen.add(`${channel} ${kind}`);
      if (isWanted === false) unwanted.add(`${channel} ${kind}`);
    }
  }
  for (const [kind, wider] of Object.entries(widerKinds))
    for (const channel of ["page", "mail"])
      if (!chosen.has(`${channel} ${kind}`) && unwanted.has(`${channel} ${wider}`)) unwanted.add(`${channel} ${kind}`);
  return unwanted;
}

/** Notifications of no kind, such as confirmations, cannot be declined one by one. */
export function isWanted(unwanted: UnwantedNotifications, channel: NotificationChannel, trigger: string): boolean {
  const kind = pageNotificationKinds[trigger];
  return kind === undefined || !unwanted.has(`${channel} ${kind}`);
}
