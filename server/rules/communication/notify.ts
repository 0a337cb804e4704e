import { getActor } from "../../engine/caller.ts";
import type { Change } from "../../engine/rules.ts";
import { type NotificationInput, triggerNotification } from "../../mail/notification-outbox.ts";

type NotificationOptions = Partial<Pick<NotificationInput, "people" | "facts">> & {
  /** another record than the one that changed */
  about?: Pick<NotificationInput, "type" | "id" | "values">;
};

/** What records/notifications cannot see in the values of a record: a rule says that people have to be told. */
export function notifyPeople(change: Change, trigger: string, { about, ...more }: NotificationOptions = {}): void {
  const { tx, type, id, account, participant: side, by, after } = change;
  if (by.suppressMail) return;
  const happened = { type, id, values: after, ...about, account: side ?? account, by: getActor(by), ...more };
  triggerNotification(tx, trigger, happened, by.now);
}
