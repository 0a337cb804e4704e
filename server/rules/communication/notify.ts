import { getActor } from "../../engine/caller.ts";
import type { Change } from "../../engine/rules.ts";
import { type NotificationInput, triggerNotification } from "../../mail/notification-outbox.ts";

type NotificationOptions = Partial<Pick<NotificationInput, "people" | "facts">> & {
  /** another record than the one that changed */
  about?: Pick<NotificationInput, "type" | "id" | "values">;
};

/** Triggers a notification that records/notifications cannot derive from the values of the record. */
export function notifyPeople(change: Change, trigger: string, { about, ...details }: NotificationOptions = {}): void {
  const { tx, type, id, account, participant, by, after } = change;
  if (by.suppressMail) return;
  const record = { type, id, values: after, ...about };
  triggerNotification(
    tx,
    trigger,
    { ...record, account: participant ?? account, by: getActor(by), ...details },
    by.now,
  );
}
