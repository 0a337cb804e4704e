import type { Notification } from "../../records/vocabulary/notifications.ts";
import type { Clock } from "../base/clock.ts";
import type { ChangeEvent } from "../engine/announcement.ts";
import { getActor, type Caller } from "../engine/caller.ts";
import type { ExtraEvent } from "../engine/rules.ts";
import { type Happened, keepNotice, keepNoticeUntil, rowsByName, toldBy, wordsOf } from "../mail/notices.ts";
import type { Transaction } from "../storage/database.ts";
import { differs, occurrencesOf } from "./match.ts";

// Listens to every change: what the table wants people to hear of is kept in the transaction of the change. Where it has
// nothing to say about a record, that costs one look into a map.

const rowsOn = new Map<string, [string, Notification][]>();
for (const [name, row] of rowsByName) rowsOn.set(row.on, [...(rowsOn.get(row.on) ?? []), [name, row]]);

export const keepNotices =
  (clock: Clock) =>
  (tx: Transaction, by: Caller | null, told: ChangeEvent): void => {
    const rows = rowsOn.get(told.type.name);
    if (rows === undefined || tx.suppressMail || by?.suppressMail) return;
    const now = clock.now();
    for (const [name, row] of rows) {
      for (const happening of occurrencesOf(row, told)) {
        const kept = toldBy(name, { ...happenedTo(by, told, happening), ...valuesOf(name, told) });
        if (kept !== null) keepNotice(tx, kept, now);
      }
      waitFor(tx, by, told, name, row, now);
    }
  };

function happenedTo(by: Caller | null, told: ChangeEvent, happening: ExtraEvent | null): Happened {
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
    earlier: before ?? {},
    // Another account that works on the record tells the people it has there.
    counts: (field) => side == null || type.perAccount.includes(field),
  };
}

/** What its text tells of the record, as the change left it; the rest is read when it is told. */
function valuesOf(row: string, { type, after }: ChangeEvent): Pick<Happened, "asLeft"> {
  const names = (wordsOf.get(row) ?? []).filter((name) => plain.has(type.fields[name]?.kind) && after?.[name] != null);
  return names.length === 0 ? {} : { asLeft: Object.fromEntries(names.map((name) => [name, after?.[name]])) };
}

const plain: ReadonlySet<string | undefined> = new Set(["enum", "datetime", "string"]);

function waitFor(
  tx: Transaction,
  by: Caller | null,
  told: ChangeEvent,
  name: string,
  { when }: Notification,
  now: Date,
): void {
  for (const occasion of when) {
    if (occasion.on !== "reached" || !differs(told, occasion.field) || told.participant != null) continue;
    const moment = told.after?.[occasion.field];
    const kept = typeof moment === "string" ? toldBy(name, { ...happenedTo(by, told, null), by: null }) : null;
    if (kept !== null) keepNoticeUntil(tx, kept, new Date(moment as string), now);
  }
}
