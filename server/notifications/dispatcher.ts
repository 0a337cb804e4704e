import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { getRetryDelaySeconds } from "../base/retry-delay.ts";
import { statement } from "../database/database.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { notificationsByName, type PendingNotification } from "../mail/notification-outbox.ts";
import { type ComposedMail, composeMail } from "./compose-mail.ts";
import { loadAccounts, loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";
import { matchesTests } from "./match-change.ts";
import { isWanted } from "./notification-choices.ts";
import type { Notifications } from "./notifications-context.ts";
import { composePageNotification, type PageNotification, storePageNotifications } from "./page-notifications.ts";
import { loadReason, type NotificationReason, RecipientView } from "./recipient-view.ts";
import { type KnownReferences, loadRecipientIds } from "./recipients.ts";
import { storeNotificationMails } from "./store-mails.ts";

// Turns pending notifications (table `notification_outbox`) into emails. One transaction deletes the row and stores its emails, so a
// crash neither loses nor duplicates an email. Jobs send them.

const maxPerRound = 100;
const composedTogether = 10;
const [shortPause, longPause] = [400, 1000];
const maxTries = 120; // spread over five days

const selectDue = statement(
  "SELECT id, notifications, tries FROM notification_outbox WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED",
);
const deleteDispatched = statement("DELETE FROM notification_outbox WHERE id = ANY($1::bigint[])");
const postponeRetry = statement(
  "UPDATE notification_outbox SET tries = tries + 1, due_at = $2, error = $3 WHERE id = $1",
);
const selectNames = statement("SELECT id, name FROM people WHERE id = ANY($1::integer[])");

export class NotificationDispatcher {
  private readonly notifications: Notifications;
  private timer: NodeJS.Timeout | null = null;
  private dispatching: Promise<number> = Promise.resolve(0);
  private stopped = true;

  constructor(notifications: Notifications) {
    this.notifications = notifications;
  }

  /** Polls once a second: a batch is cheaper than single rows, and requests have priority. */
  start(): void {
    this.stopped = false;
    const poll = (): void => {
      this.dispatching = this.dispatching.catch(() => 0).then(() => this.dispatchSome());
      this.dispatching
        .catch((error) => this.notifications.log.error("notifications could not be dispatched", describeError(error)))
        .then((count) => {
          if (!this.stopped) this.timer = setTimeout(poll, count === maxPerRound ? shortPause : longPause);
        });
    };
    poll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.dispatching.catch(() => {});
  }

  /** Dispatches everything that is due now and returns the number of rows. */
  runDue(): Promise<number> {
    this.dispatching = this.dispatching.catch(() => 0).then(() => this.dispatchAll());
    return this.dispatching;
  }

  private async dispatchAll(): Promise<number> {
    let total = 0;
    for (;;) {
      const count = await this.dispatchSome();
      total += count;
      if (count < maxPerRound) return total;
    }
  }

  private dispatchSome(): Promise<number> {
    const { engine } = this.notifications;
    return engine.database.transaction(async (tx) => {
      const now = engine.clock.now();
      const rows = await tx.query(selectDue, [now.toISOString(), maxPerRound]);
      if (rows.length === 0) return 0;
      const batch = await loadDispatchData(
        engine,
        rows.map(([, pending]) => JSON.parse(pending as string) as PendingNotification[]),
        now,
      );
      const composed = await this.composeSome(batch);
      const mails: ComposedMail[] = [];
      const inPage: PageNotification[] = [];
      const finished: string[] = [];
      for (const [index, [id, , tries]] of rows.entries()) {
        const result = composed[index] as ComposedGroup | FailedGroup;
        if (!("error" in result)) {
          mails.push(...result.mails);
          inPage.push(...result.inPage);
          finished.push(id as string);
        } else {
          const { error } = result;
          this.notifications.log.error("a notification could not be dispatched", { id, ...describeError(error) });
          if (Number(tries) >= maxTries) {
            finished.push(id as string);
            continue;
          }
          const pause = getRetryDelaySeconds(Number(tries) + 1) * 1000;
          const reason = (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").slice(0, 500);
          tx.send(postponeRetry, [id as string, new Date(now.getTime() + pause).toISOString(), reason]);
        }
      }
      tx.send(deleteDispatched, [finished]);
      await storeNotificationMails(this.notifications, tx, mails, now);
      storePageNotifications(tx, inPage, now);
      return rows.length;
    });
  }

  /** A few groups at a time: their reads are sent together, and those of calls do not wait for all of them. */
  private async composeSome(batch: DispatchData): Promise<(ComposedGroup | FailedGroup)[]> {
    const composed: (ComposedGroup | FailedGroup)[] = [];
    for (let at = 0; at < batch.groups.length; at += composedTogether) {
      const groups = batch.groups.slice(at, at + composedTogether);
      composed.push(
        ...(await Promise.all(
          groups.map((group) => this.compose(batch, group).catch((error): FailedGroup => ({ error }))),
        )),
      );
    }
    return composed;
  }

  /** A group holds the notifications of one transaction: each person gets one mail and one in the page per record. */
  private async compose(batch: DispatchData, group: NotificationGroup | FailedGroup): Promise<ComposedGroup> {
    if ("error" in group) throw group.error;
    const byRecord = new Map<string, { reader: MailRecipient; reasons: NotificationReason[] }>();
    for (const { reason, people } of group)
      for (const id of people) {
        const reader = batch.readers.get(id);
        if (reader === undefined) continue;
        const key = `${id} ${reason.about.type.name} ${reason.about.id}`;
        const entry = byRecord.get(key) ?? { reader, reasons: [] };
        entry.reasons.push(reason);
        byRecord.set(key, entry);
      }
    const { engine } = this.notifications;
    const entries = [...byRecord.values()].map((entry) => ({
      ...entry,
      view: new RecipientView(engine, entry.reader, entry.reasons),
    }));
    const [mails, inPage] = await Promise.all([
      Promise.all(
        entries.map(({ reader, reasons, view }) => {
          const wanted = reasons.filter(({ definition }) => wantsMail(reader, definition));
          return wanted.length === 0 ? null : composeMail(this.notifications, reader, view, wanted, batch);
        }),
      ),
      Promise.all(entries.map(({ reader, reasons, view }) => composePageNotification(reader, view, reasons, batch))),
    ]);
    return {
      mails: mails.filter((mail) => mail !== null),
      inPage: inPage.filter((notification) => notification !== null),
    };
  }
}

function wantsMail(reader: MailRecipient, row: Notification): boolean {
  const { emailPreference, isOnline, excludesTeamMails, unwanted } = reader;
  if (row.ignoresPreferences === true) return true;
  if (!isWanted(unwanted, "mail", row.trigger)) return false;
  if (emailPreference === "never" || (emailPreference === "when_offline" && isOnline)) return false;
  return !(row.isForTeam && excludesTeamMails);
}

type FailedGroup = { error: unknown };
type ComposedGroup = { mails: ComposedMail[]; inPage: PageNotification[] };
type NotificationGroup = { reason: NotificationReason; people: ReadonlySet<number> }[];
type DispatchData = Awaited<ReturnType<typeof loadDispatchData>>;

/** Loads what all notifications of a batch need with few statements. */
async function loadDispatchData(engine: Engine, list: readonly (readonly PendingNotification[])[], now: Date) {
  const known: KnownReferences = new Map();
  const groups = await Promise.all(
    list.map((pendingList) =>
      Promise.all(pendingList.map((pending) => resolveNotification(engine, pending, known, now))).then(
        (resolved): NotificationGroup => resolved.filter((notification) => notification !== null),
        (error): FailedGroup => ({ error }), // other groups are not affected
      ),
    ),
  );
  const people = new Set(
    groups.flatMap((group) => ("error" in group ? [] : group.flatMap((notification) => [...notification.people]))),
  );
  const actors = new Set(list.flat().flatMap(({ by }) => (by === null ? [] : [by])));
  const [readers, names] = await Promise.all([
    loadMailRecipients(engine, people, now),
    engine.database.read(selectNames, [[...actors]]),
  ]);
  const accountIds = new Set(list.flat().map(({ account }) => account));
  for (const { me } of readers.values()) accountIds.add(me.account);
  const accounts = await loadAccounts(engine, accountIds);
  return { groups, readers, accounts, names: new Map(names.map(([id, name]) => [Number(id), name as string])), now };
}

async function resolveNotification(
  engine: Engine,
  pending: PendingNotification,
  known: KnownReferences,
  now: Date,
): Promise<NotificationGroup[number] | null> {
  const row = notificationsByName.get(pending.row);
  if (row === undefined || (pending.due !== undefined && !(await isStillDue(engine, row, pending, now)))) return null;
  const [reason, people] = await Promise.all([
    loadReason(engine, pending, known),
    loadRecipientIds(engine, row, pending, known),
  ]);
  return reason === null ? null : { reason, people };
}

/** Whether the record still has the moment that was waited for, and still meets the conditions of the definition. */
async function isStillDue(
  engine: Engine,
  row: Notification,
  pending: PendingNotification,
  now: Date,
): Promise<boolean> {
  const fields = row.when.flatMap((occasion) => (occasion.on === "reached" ? [occasion.field] : []));
  const reads = { query: engine.database.read.bind(engine.database) };
  const by = await loadServiceCaller(reads, pending.account, now);
  const type = engine.types.get(pending.type);
  try {
    const record = JSON.parse(await find(engine, by, type, pending.id, [...fields, ...Object.keys(row.if ?? {})]));
    const isSame = fields.some((name) => toSecond(String(record[name])) === toSecond(pending.due as string));
    return isSame && matchesTests(row.if, record);
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return false; // deleted
    throw error;
  }
}

const toSecond = (text: string): number => Math.floor(Date.parse(text) / 1000);
