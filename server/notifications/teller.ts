import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import { loadServiceCaller } from "../engine/system.ts";
import { rowsByName, type Told } from "../mail/notices.ts";
import { statement } from "../storage/database.ts";
import type { Notifications } from "./context.ts";
import { holds } from "./match.ts";
import { storeNotices } from "./outbox.ts";
import { accountsOf, type Reader, readersOf } from "./readers.ts";
import { recipientsOf } from "./recipients.ts";
import { type Reason, reasonOf } from "./sight.ts";
import { type Written, write } from "./write.ts";

// Makes mails of notices. A notice goes in the transaction that writes its mails: however a process ends, both happened
// or neither. Nothing here leaves the process; that is for the jobs of the mails.

const atOnce = 100;
const [shortPause, longPause] = [400, 1000];
const longestPause = 3600;
const mostTries = 120; // five days, with the pauses between them

const due = statement(
  "SELECT id, told, tries FROM notices WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED",
);
const done = statement("DELETE FROM notices WHERE id = ANY($1::bigint[])");
const again = statement("UPDATE notices SET tries = tries + 1, due_at = $2, error = $3 WHERE id = $1");
const names = statement("SELECT id, name FROM people WHERE id = ANY($1::integer[])");

export class Teller {
  private readonly notifications: Notifications;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<number> = Promise.resolve(0);
  private stopped = true;

  constructor(notifications: Notifications) {
    this.notifications = notifications;
  }

  /** Looks once a second: what happened meanwhile is cheaper to tell together, and calls come first. */
  start(): void {
    this.stopped = false;
    const turn = (): void => {
      this.looking = this.looking.catch(() => 0).then(() => this.tellSome());
      this.looking
        .catch((error) => this.notifications.log.error("notices could not be told", describeError(error)))
        .then((told) => {
          if (!this.stopped) this.timer = setTimeout(turn, told === atOnce ? shortPause : longPause);
        });
    };
    turn();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.looking.catch(() => {});
  }

  /** Tells everything that is due now; answers how many notices there were. */
  runDue(): Promise<number> {
    this.looking = this.looking.catch(() => 0).then(() => this.tellAll());
    return this.looking;
  }

  private async tellAll(): Promise<number> {
    let told = 0;
    for (;;) {
      const some = await this.tellSome();
      told += some;
      if (some < atOnce) return told;
    }
  }

  private tellSome(): Promise<number> {
    const { engine } = this.notifications;
    return engine.database.transaction(async (tx) => {
      const now = engine.clock.now();
      const rows = await tx.query(due, [now.toISOString(), atOnce]);
      if (rows.length === 0) return 0;
      const batch = await batchOf(
        engine,
        rows.map(([, told]) => JSON.parse(told as string) as Told[]),
        now,
      );
      const mails: Written[] = [];
      const finished: string[] = [];
      for (const [index, [id, , tries]] of rows.entries()) {
        try {
          mails.push(...(await this.mailsOf(batch, batch.notices[index] as Notice)));
          finished.push(id as string);
        } catch (error) {
          this.notifications.log.error("a notice could not be told", { id, ...describeError(error) });
          if (Number(tries) >= mostTries) {
            finished.push(id as string);
            continue;
          }
          const pause = Math.min(longestPause, 2 ** Math.min(Number(tries) + 1, 12)) * 1000;
          const reason = (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").slice(0, 500);
          tx.send(again, [id as string, new Date(now.getTime() + pause).toISOString(), reason]);
        }
      }
      tx.send(done, [finished]);
      await storeNotices(this.notifications, tx, mails, now);
      return rows.length;
    });
  }

  /** What one transaction did: each person hears of each record once. */
  private async mailsOf(batch: Batch, notice: Notice | Failed): Promise<Written[]> {
    if ("error" in notice) throw notice.error;
    const grouped = new Map<string, { reader: Reader; reasons: Reason[] }>();
    for (const { reason, people } of notice)
      for (const id of people) {
        const reader = batch.readers.get(id);
        if (reader === undefined || !wantsIt(reader, reason.row)) continue;
        const key = `${id} ${reason.about.type.name} ${reason.about.id}`;
        const known = grouped.get(key) ?? { reader, reasons: [] };
        known.reasons.push(reason);
        grouped.set(key, known);
      }
    const written = await Promise.all(
      [...grouped.values()].map(({ reader, reasons }) => write(this.notifications, reader, reasons, batch)),
    );
    return written.filter((mail) => mail !== null);
  }
}

const wantsIt = ({ wants, isOnline, wantsNoTeams }: Reader, row: Notification): boolean =>
  row.ignoresPreferences === true ||
  (wants !== "never" && !(wants === "when_offline" && isOnline) && !(row.isForTeam && wantsNoTeams));

type Failed = { error: unknown };
type Notice = { reason: Reason; people: ReadonlySet<number> }[];
type Batch = Awaited<ReturnType<typeof batchOf>>;

/** Looks up what all notices of a batch need, together. */
async function batchOf(engine: Engine, list: readonly (readonly Told[])[], now: Date) {
  const notices = await Promise.all(
    list.map((all) =>
      Promise.all(all.map((told) => meantBy(engine, told, now))).then(
        (meant): Notice => meant.filter((each) => each !== null),
        (error): Failed => ({ error }), // the others are told all the same
      ),
    ),
  );
  const people = new Set(
    notices.flatMap((notice) => ("error" in notice ? [] : notice.flatMap((each) => [...each.people]))),
  );
  const actors = new Set(list.flat().flatMap(({ by }) => (by === null ? [] : [by])));
  const [readers, found] = await Promise.all([
    readersOf(engine, people, now),
    engine.database.read(names, [[...actors]]),
  ]);
  const places = new Set(list.flat().map(({ account }) => account));
  for (const { me } of readers.values()) places.add(me.account);
  const accounts = await accountsOf(engine, places);
  return { notices, readers, accounts, names: new Map(found.map(([id, name]) => [Number(id), name as string])), now };
}

async function meantBy(engine: Engine, told: Told, now: Date): Promise<Notice[number] | null> {
  const row = rowsByName.get(told.row);
  if (row === undefined || (told.due !== undefined && !(await isStillSo(engine, row, told, now)))) return null;
  const [reason, people] = await Promise.all([reasonOf(engine, told), recipientsOf(engine, row, told)]);
  return reason === null ? null : { reason, people };
}

/** Whether the moment that was waited for still is the one, and the record still as the row wants it. */
async function isStillSo(engine: Engine, row: Notification, told: Told, now: Date): Promise<boolean> {
  const fields = row.when.flatMap((occasion) => (occasion.on === "reached" ? [occasion.field] : []));
  const reads = { query: engine.database.read.bind(engine.database) };
  const by = await loadServiceCaller(reads, told.account, now);
  const type = engine.types.get(told.type);
  try {
    const shown = JSON.parse(await find(engine, by, type, told.id, [...fields, ...Object.keys(row.if ?? {})]));
    const isSame = fields.some((name) => secondOf(String(shown[name])) === secondOf(told.due as string));
    return isSame && holds(row.if, shown);
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return false; // it is gone
    throw error;
  }
}

const secondOf = (text: string): number => Math.floor(Date.parse(text) / 1000);
