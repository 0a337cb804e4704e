import type { Notification } from "../../records/vocabulary/notifications.ts";
import type { Clock } from "../base/clock.ts";
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
import type { Transaction } from "../storage/database.ts";
import { findOccurrences, hasFieldChanged } from "./match-change.ts";

// Listens to every change: what the table wants people to hear of is kept in the transaction of the change. Where it has
// nothing to say about a record, that costs one look into a map.

const notificationsByType = new Map<string, [string, Notification][]>();
for (const [name, row] of notificationsByName)
  notificationsByType.set(row.on, [...(notificationsByType.get(row.on) ?? []), [name, row]]);

export const queueNotifications =
  (clock: Clock) =>
  (tx: Transaction, by: Caller | null, told: ChangeEvent): void => {
    const rows = notificationsByType.get(told.type.name);
    if (rows === undefined || tx.suppressMail || by?.suppressMail) return;
    const now = clock.now();
    for (const [name, row] of rows) {
      for (const happening of findOccurrences(row, told)) {
        const kept = buildPendingNotification(name, {
          ...buildNotificationInput(by, told, happening),
          ...pickCurrentValues(name, told),
        });
        if (kept !== null) queueNotification(tx, kept, now);
      }
      scheduleDueNotifications(tx, by, told, name, row, now);
    }
  };

function buildNotificationInput(by: Caller | null, told: ChangeEvent, happening: ExtraEvent | null): NotificationInput {
  const { type, id, account, participant: side, before, after } = told;
  const author = happening?.listenerFacts?.author;
  return {
    type: type.name,
    id,
    account,
    by: getActor(by),
    ...(typeof author === "number" ? { besides: [author] } : {}),
    ...(happening === null ? {} : { facts: happening.facts }),
    values: after ?? {},
    previousValues: before ?? {},
    // Another account that works on the record tells the people it has there.
    includesField: (field) => side == null || type.perAccount.includes(field),
  };
}

/** What its text tells of the record, as the change left it; the rest is read when it is told. */
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
  told: ChangeEvent,
  name: string,
  { when }: Notification,
  now: Date,
): void {
  for (const occasion of when) {
    if (occasion.on !== "reached" || !hasFieldChanged(told, occasion.field) || told.participant != null) continue;
    const moment = told.after?.[occasion.field];
    const kept =
      typeof moment === "string"
        ? buildPendingNotification(name, { ...buildNotificationInput(by, told, null), by: null })
        : null;
    if (kept !== null) scheduleNotification(tx, kept, new Date(moment as string), now);
  }
}
