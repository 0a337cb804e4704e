import type { Notification } from "../../records/vocabulary/notifications.ts";
import type { Clock } from "../base/clock.ts";
import type { Transaction } from "../database/database.ts";
import { type Caller, getActor } from "../engine/caller.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { ExtraEvent } from "../engine/rules.ts";
import {
  buildPendingNotification,
  type NotificationInput,
  notificationsByName,
  placeholdersByName,
  queueNotification,
  scheduleNotification,
} from "../mail/notification-outbox.ts";
import { findOccurrences, hasFieldChanged } from "./match-change.ts";

// Listens to every change and queues the notifications that records/notifications defines for it, in the transaction of
// the change. A type without notifications costs one lookup in a map.

const notificationsByType = new Map<string, [string, Notification][]>();
for (const [name, row] of notificationsByName)
  notificationsByType.set(row.on, [...(notificationsByType.get(row.on) ?? []), [name, row]]);

export const queueNotifications =
  (clock: Clock) =>
  (tx: Transaction, by: Caller | null, event: ChangeEvent): void => {
    const rows = notificationsByType.get(event.type.name);
    if (rows === undefined || tx.suppressMail || by?.suppressMail) return;
    const now = clock.now();
    for (const [name, row] of rows) {
      for (const extraEvent of findOccurrences(row, event)) {
        const pending = buildPendingNotification(name, {
          ...buildNotificationInput(by, event, extraEvent),
          ...pickCurrentValues(name, event),
        });
        if (pending !== null) queueNotification(tx, pending, now);
      }
      scheduleDueNotifications(tx, by, event, { name, row, now });
    }
  };

function buildNotificationInput(
  by: Caller | null,
  event: ChangeEvent,
  extraEvent: ExtraEvent | null,
): NotificationInput {
  const { type, id, account, participant, before, after } = event;
  const author = extraEvent?.listenerFacts?.author;
  return {
    type: type.name,
    id,
    account,
    by: getActor(by),
    ...(typeof author === "number" ? { besides: [author] } : {}),
    ...(extraEvent === null ? {} : { facts: extraEvent.facts }),
    values: after ?? {},
    previousValues: before ?? {},
    // A change of another account's overlay notifies the people in the fields of that overlay only.
    includesField: (field) => participant == null || type.sharing.perAccount.includes(field),
  };
}

/** The values of placeholders as of the change; the others are read when the mail is composed. */
function pickCurrentValues(row: string, { type, after }: ChangeEvent): Pick<NotificationInput, "asLeft"> {
  const names = (placeholdersByName.get(row) ?? []).filter(
    (name) => plainKinds.has(type.fields[name]?.kind) && after?.[name] != null,
  );
  return names.length === 0 ? {} : { asLeft: Object.fromEntries(names.map((name) => [name, after?.[name]])) };
}

const plainKinds: ReadonlySet<string | undefined> = new Set(["enum", "datetime", "string"]);

function scheduleDueNotifications(
  tx: Transaction,
  by: Caller | null,
  event: ChangeEvent,
  { name, row, now }: { name: string; row: Notification; now: Date },
): void {
  for (const occasion of row.when) {
    if (occasion.on !== "reached" || !hasFieldChanged(event, occasion.field) || event.participant != null) continue;
    const moment = event.after?.[occasion.field];
    const pending =
      typeof moment === "string"
        ? buildPendingNotification(name, { ...buildNotificationInput(by, event, null), by: null })
        : null;
    if (pending !== null) scheduleNotification(tx, pending, new Date(moment as string), now);
  }
}
