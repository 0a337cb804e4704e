import { randomUUID } from "node:crypto";
import type pg from "pg";
import { register } from "../../records/index.ts";
import { accessChannel, changesAccess } from "../../server/database/access-changes/access-changes.ts";
import type { PgListener } from "../../server/database/pg-listener.ts";
import { cachedTypes } from "../../server/rules/sla/agreement-cache.ts";

// Servers cache rows of some tables and invalidate them by NOTIFY (docs/architecture.md, State of a process). The program
// notifies when it changes these tables. A test that writes them by SQL must do the same and wait until the server has handled
// the notification. Otherwise the next call may read a stale cache on a busy machine (D-783).

type Notification = readonly [channel: string, payloads: string];

const agreementTables = register
  .filter(({ name }) => cachedTypes.has(name) || name === "organization")
  .map(({ collection }) => collection);

const writes =
  (tables: readonly string[]) =>
  (text: string): boolean =>
    new RegExp(`\\b(?:INSERT INTO|UPDATE|DELETE FROM) "?(?:${tables.join("|")})"?(?![\\w"])`).test(text);

// biome-ignore format: a table keeps its columns
/** The caches and the notification that invalidates each, with SQL for the payloads. */
const caches: readonly { isConcerned: (text: string) => boolean; notification: Notification }[] = [
  { isConcerned: changesAccess,                notification: [accessChannel,        "SELECT ''"] },
  { isConcerned: writes(["automation_rules"]), notification: ["automation_changed", "SELECT id FROM accounts"] },
  { isConcerned: writes(agreementTables),      notification: ["agreements_changed", "SELECT ''"] },
];

const findNotifications = (text: string): Notification[] =>
  caches.filter(({ isConcerned }) => isConcerned(text)).map(({ notification }) => notification);

export const writesCachedTable = (text: string): boolean => findNotifications(text).length > 0;

/** Runs a test's statements and returns once the listening server has dropped the cached rows that they changed. */
export class CachedWrites {
  private static readonly channel = "test_writes";
  private readonly pool: pg.Pool;
  private readonly listener: PgListener;
  private readonly waiting = new Map<string, () => void>();

  /** Create it before the server starts to listen. */
  constructor(pool: pg.Pool, listener: PgListener) {
    this.pool = pool;
    this.listener = listener;
    listener.subscribe(CachedWrites.channel, (payload) => {
      // Null: the connection was lost, which also clears the caches.
      for (const [key, resolve] of this.waiting) if (payload === null || payload === key) resolve();
    });
  }

  async query<T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<T[]> {
    const { rows } = await this.pool.query<T>(text, values);
    const notifications = findNotifications(text);
    const isCached = notifications.length > 0 || text.startsWith("NOTIFY ");
    if (isCached && this.listener.isConnected) await this.notify(notifications);
    return rows;
  }

  /** Notifications arrive in commit order, and each is handled before the next. */
  private async notify(notifications: readonly Notification[]): Promise<void> {
    const key = randomUUID();
    const isHeard = new Promise<void>((resolve) => this.waiting.set(key, resolve));
    for (const [channel, payloads] of notifications)
      await this.pool.query(`SELECT pg_notify('${channel}', payload) FROM (${payloads}) AS x (payload)`);
    await this.pool.query("SELECT pg_notify($1, $2)", [CachedWrites.channel, key]);
    await isHeard;
    this.waiting.delete(key);
  }
}
