import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { getRetryDelaySeconds } from "../base/retry-delay.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { notificationsByName, type PendingNotification } from "../mail/notification-outbox.ts";
import { statement } from "../storage/database.ts";
import { type ComposedMail, composeMail } from "./compose-mail.ts";
import type { Notifications } from "./context.ts";
import { loadAccounts, loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";
import { matchesTests } from "./match-change.ts";
import { loadReason, type NotificationReason } from "./recipient-view.ts";
import { loadRecipientIds } from "./recipients.ts";
import { storeNotificationMails } from "./store-mails.ts";

// Makes mails of notices. A notice goes in the transaction that writes its mails: however a process ends, both happened
// or neither. Nothing here leaves the process; that is for the jobs of the mails.

const maxPerRound = 100;
const [shortPause, longPause] = [400, 1000];
const maxTries = 120; // five days, with the pauses between them

const selectDue = statement(
  "SELECT id, told, tries FROM notices WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED",
);
const deleteDispatched = statement("DELETE FROM notices WHERE id = ANY($1::bigint[])");
const postponeRetry = statement("UPDATE notices SET tries = tries + 1, due_at = $2, error = $3 WHERE id = $1");
const selectNames = statement("SELECT id, name FROM people WHERE id = ANY($1::integer[])");

export class NotificationDispatcher {
  private readonly notifications: Notifications;
  private timer: NodeJS.Timeout | null = null;
  private dispatching: Promise<number> = Promise.resolve(0);
  private stopped = true;

  constructor(notifications: Notifications) {
    this.notifications = notifications;
  }

  /** Looks once a second: what happened meanwhile is cheaper to tell together, and calls come first. */
  start(): void {
    this.stopped = false;
    const turn = (): void => {
      this.dispatching = this.dispatching.catch(() => 0).then(() => this.dispatchSome());
      this.dispatching
        .catch((error) => this.notifications.log.error("notices could not be told", describeError(error)))
        .then((told) => {
          if (!this.stopped) this.timer = setTimeout(turn, told === maxPerRound ? shortPause : longPause);
        });
    };
    turn();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.dispatching.catch(() => {});
  }

  /** Tells everything that is due now; answers how many notices there were. */
  runDue(): Promise<number> {
    this.dispatching = this.dispatching.catch(() => 0).then(() => this.dispatchAll());
    return this.dispatching;
  }

  private async dispatchAll(): Promise<number> {
    let told = 0;
    for (;;) {
      const some = await this.dispatchSome();
      told += some;
      if (some < maxPerRound) return told;
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
        rows.map(([, told]) => JSON.parse(told as string) as PendingNotification[]),
        now,
      );
      const mails: ComposedMail[] = [];
      const finished: string[] = [];
      for (const [index, [id, , tries]] of rows.entries()) {
        try {
          mails.push(...(await this.composeMails(batch, batch.notices[index] as NotificationGroup)));
          finished.push(id as string);
        } catch (error) {
          this.notifications.log.error("a notice could not be told", { id, ...describeError(error) });
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
      return rows.length;
    });
  }

  /** What one transaction did: each person hears of each record once. */
  private async composeMails(batch: DispatchData, notice: NotificationGroup | FailedGroup): Promise<ComposedMail[]> {
    if ("error" in notice) throw notice.error;
    const grouped = new Map<string, { reader: MailRecipient; reasons: NotificationReason[] }>();
    for (const { reason, people } of notice)
      for (const id of people) {
        const reader = batch.readers.get(id);
        if (reader === undefined || !wantsMail(reader, reason.definition)) continue;
        const key = `${id} ${reason.about.type.name} ${reason.about.id}`;
        const known = grouped.get(key) ?? { reader, reasons: [] };
        known.reasons.push(reason);
        grouped.set(key, known);
      }
    const written = await Promise.all(
      [...grouped.values()].map(({ reader, reasons }) => composeMail(this.notifications, reader, reasons, batch)),
    );
    return written.filter((mail) => mail !== null);
  }
}

const wantsMail = (
  { emailPreference: wants, isOnline, excludesTeamMails: wantsNoTeams }: MailRecipient,
  row: Notification,
): boolean =>
  row.ignoresPreferences === true ||
  (wants !== "never" && !(wants === "when_offline" && isOnline) && !(row.isForTeam && wantsNoTeams));

type FailedGroup = { error: unknown };
type NotificationGroup = { reason: NotificationReason; people: ReadonlySet<number> }[];
type DispatchData = Awaited<ReturnType<typeof loadDispatchData>>;

/** Looks up what all notices of a batch need, together. */
async function loadDispatchData(engine: Engine, list: readonly (readonly PendingNotification[])[], now: Date) {
  const notices = await Promise.all(
    list.map((all) =>
      Promise.all(all.map((told) => resolveNotification(engine, told, now))).then(
        (meant): NotificationGroup => meant.filter((each) => each !== null),
        (error): FailedGroup => ({ error }), // the others are told all the same
      ),
    ),
  );
  const people = new Set(
    notices.flatMap((notice) => ("error" in notice ? [] : notice.flatMap((each) => [...each.people]))),
  );
  const actors = new Set(list.flat().flatMap(({ by }) => (by === null ? [] : [by])));
  const [readers, found] = await Promise.all([
    loadMailRecipients(engine, people, now),
    engine.database.read(selectNames, [[...actors]]),
  ]);
  const places = new Set(list.flat().map(({ account }) => account));
  for (const { me } of readers.values()) places.add(me.account);
  const accounts = await loadAccounts(engine, places);
  return { notices, readers, accounts, names: new Map(found.map(([id, name]) => [Number(id), name as string])), now };
}

async function resolveNotification(
  engine: Engine,
  told: PendingNotification,
  now: Date,
): Promise<NotificationGroup[number] | null> {
  const row = notificationsByName.get(told.row);
  if (row === undefined || (told.due !== undefined && !(await isStillDue(engine, row, told, now)))) return null;
  const [reason, people] = await Promise.all([loadReason(engine, told), loadRecipientIds(engine, row, told)]);
  return reason === null ? null : { reason, people };
}

/** Whether the moment that was waited for still is the one, and the record still as the row wants it. */
async function isStillDue(engine: Engine, row: Notification, told: PendingNotification, now: Date): Promise<boolean> {
  const fields = row.when.flatMap((occasion) => (occasion.on === "reached" ? [occasion.field] : []));
  const reads = { query: engine.database.read.bind(engine.database) };
  const by = await loadServiceCaller(reads, told.account, now);
  const type = engine.types.get(told.type);
  try {
    const shown = JSON.parse(await find(engine, by, type, told.id, [...fields, ...Object.keys(row.if ?? {})]));
    const isSame = fields.some((name) => toSecond(String(shown[name])) === toSecond(told.due as string));
    return isSame && matchesTests(row.if, shown);
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return false; // it is gone
    throw error;
  }
}

const toSecond = (text: string): number => Math.floor(Date.parse(text) / 1000);
