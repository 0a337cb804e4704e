import { pageNotificationKinds } from "../../records/notifications/page-notifications.ts";

// D-284: which kinds of notifications a person wants in the page and by mail. The web interface stores it as it stores
// other preferences; what it does not name is wanted.

export type NotificationChannel = "page" | "mail";
/** "mail mention": not wanted */
export type UnwantedNotifications = ReadonlySet<string>;

/** Where the profile stores it. */
export const notificationChoicesKey = "notifications";

/** `text`: {"mention": {"page": true, "mail": false}, ...}; anybody can store anything there. */
export function parseUnwanted(text: string | null): UnwantedNotifications {
  if (text === null) return new Set();
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([kind, choice]: [string, unknown]) =>
      typeof choice !== "object" || choice === null
        ? []
        : Object.entries(choice).flatMap(([channel, isWanted]) => (isWanted === false ? [`${channel} ${kind}`] : [])),
    ),
  );
}

/** Notifications of no kind, such as confirmations, cannot be declined one by one. */
export function isWanted(unwanted: UnwantedNotifications, channel: NotificationChannel, trigger: string): boolean {
  const kind = pageNotificationKinds[trigger];
  return kind === undefined || !unwanted.has(`${channel} ${kind}`);
}
