import type pg from "pg";
import { isOutdatedPlan } from "./database-errors.ts";
import { destroySocket, openClient } from "./servers/open-client.ts";
import { listServers } from "./servers/server-list.ts";
import { type ReadMemory, type Row, StatementSender, type Value } from "./text-query.ts";

export type { ReadMemory, Row, Value } from "./text-query.ts";

export type Statement = {
  text: string;
  name: string;
  /** PostgreSQL keeps one generic plan per connection: for long statements whose plan does not depend on the values */
  plannedOnce?: boolean;
  /** it neither writes nor locks; one that does not say so counts as a write */
  isPlainRead?: boolean;
  /** its transaction notifies every process that access may have changed */
  changesAccess?: boolean;
  /** with the accounts that tables are marked with (layout/account-tables.ts), from 1 */
  markedParameters?: readonly number[];
  batch?: Batch;
};

/** How concurrent calls of a statement are merged into one call of another statement. */
export type Batch = {
  statement: Statement;
  /** calls with the same key can be merged */
  groupKey(values: readonly Value[]): string;
  mergeValues(calls: readonly (readonly Value[])[]): readonly Value[];
  /** the rows of each call */
  distribute(all: readonly Row[], calls: readonly (readonly Value[])[]): readonly (readonly Row[])[];
};

/** The settings that differ between lanes; set once, when a connection opens. */
export type ConnectionSettings = {
  /** PostgreSQL cancels statements that run longer */
  statementTimeout: number;
  /** further settings of the session */
  session?: string;
  /** called when a connection is open, with the host and the process of PostgreSQL */
  onOpen?: (host: string, backend: number) => void;
};

export const defaultSettings: ConnectionSettings = { statementTimeout: 30_000 };
/** How much longer than its longest statement a server may be silent. */
const silenceMargin = 5000;

/** With several servers: how often a connection looks whether changes go to another server by now. */
const moveInterval = 1000;

/** An open connection to the server with this address; `backend` is the process of PostgreSQL behind it. */
type Session = {
  client: pg.Client;
  url: string;
  sender: StatementSender;
  backend: number;
  pending: number;
  isRetired: boolean;
  /** it has prepared statements that a migration made useless */
  isOutdated: boolean;
  /** PostgreSQL gave up waiting for a standby to have the last commit */
  isUnconfirmed: boolean;
};

export type ReadOptions = {
  /** gets the milliseconds that the statement took, without those it waited for statements before it */
  observe?: (milliseconds: number) => void;
  /** counts what it answers */
  memory?: ReadMemory | undefined;
};

type SendOptions = ReadOptions & {
  /** with the other statements of its transaction */
  isGrouped: boolean;
};

/** Two names of one zone: work of the service uses the first, people in that zone the second. */
const isUtc = (zone: string): boolean => zone === "UTC" || zone === "Etc/UTC";

function findCurrentServer(url: string): string | undefined {
  const { urls, current } = listServers(url);
  return urls[current];
}

/** The name of a prepared statement does not exist, or exists already. */
const namelessCodes = new Set(["26000", "42P05"]);

/** A connection that is opened on first use and reopened after it was lost. */
export class Connection {
  pending = 0;
  private readonly url: string;
  private readonly settings: ConnectionSettings;
  private session: Session | null = null;
  private opening: Promise<Session> | null = null;
  private zone = "";
  private planning = "auto";
  private generation = 0;
  private lastAnswer = 0;
  private watch: NodeJS.Timeout | null = null;

  constructor(url: string, settings: ConnectionSettings = defaultSettings) {
    this.url = url;
    this.settings = settings;
  }

  /** Opens the connection if needed. Every new one has a new generation; the transactions of the old are lost. */
  async ready(): Promise<number> {
    if (this.session?.isOutdated) this.retire();
    if (this.session === null) await this.open();
    return this.generation;
  }

  /** The process of PostgreSQL that runs the statements; null while there is none. */
  get backend(): number | null {
    return this.session?.backend ?? null;
  }

  /** For how long the oldest of the pending statements has been running, in milliseconds. */
  getRunningTime(now: number): number {
    return this.pending === 0 ? 0 : now - this.lastAnswer;
  }

  /** With a generation the statement belongs to a transaction, and must not run on a new connection outside of it. */
  query(
    statement: Statement,
    values: readonly Value[],
    zone: string,
    generation?: number,
    options: ReadOptions = {},
  ): Promise<Row[]> {
    if (generation === undefined) return this.queryAgainIfNameless(statement, values, zone, options);
    return this.session === null || generation !== this.generation
      ? Promise.reject(Object.assign(new Error("Connection terminated during a transaction"), { code: "08006" }))
      : this.sendOn(this.session, statement, values, zone, { isGrouped: true, ...options });
  }

  private async queryAgainIfNameless(
    statement: Statement,
    values: readonly Value[],
    zone: string,
    given: ReadOptions,
  ): Promise<Row[]> {
    const options = { isGrouped: false, ...given };
    const session = this.session ?? (await this.openForOne());
    try {
      return await this.sendOn(session, statement, values, zone, options);
    } catch (error) {
      // A statement that is canceled while it is prepared has no name in the database, but those that were sent behind it
      // use the name. They did not run: they are sent again.
      if (!namelessCodes.has((error as { code?: string }).code ?? "") && !isOutdatedPlan(error)) throw error;
      if (this.session === session) this.retire();
      const next = this.session ?? (await this.openForOne());
      return this.sendOn(next, { ...statement, name: "" }, values, zone, options);
    }
  }

  /** A statement that waits for the connection counts as pending. */
  private async openForOne(): Promise<Session> {
    if (this.pending++ === 0) this.lastAnswer = performance.now();
    try {
      return await this.open();
    } finally {
      this.pending--;
    }
  }

  /** Without `async`: a save sends a dozen statements, and every function that waits for another costs a promise for each. */
  private sendOn(
    session: Session,
    statement: Statement,
    values: readonly Value[],
    zone: string,
    { isGrouped, observe, memory }: SendOptions,
  ): Promise<Row[]> {
    const sentAt = performance.now();
    if (this.pending++ === 0) this.lastAnswer = sentAt;
    session.pending++;
    const { client, sender } = session;
    if (zone !== this.zone && !(isUtc(zone) && isUtc(this.zone))) {
      // A connection answers in the order of its statements, so the zone applies to all that are sent after it.
      this.zone = zone;
      sender.flush();
      client.query("SELECT set_config('TimeZone', $1, false)", [zone]).catch(() => this.discard());
    }
    const planning = statement.plannedOnce ? "force_generic_plan" : "auto";
    if (planning !== this.planning) {
      this.planning = planning;
      sender.flush();
      client.query("SELECT set_config('plan_cache_mode', $1, false)", [planning]).catch(() => this.discard());
    }
    const settle = (error: unknown) => {
      if (error !== null && isOutdatedPlan(error)) session.isOutdated = true;
      const now = performance.now();
      observe?.(now - Math.max(sentAt, this.lastAnswer));
      this.pending--;
      this.lastAnswer = now;
      if (--session.pending === 0 && session.isRetired) session.client.end().catch(() => {});
    };
    return sender.send(statement, values, isGrouped, settle, memory);
  }

  private open(): Promise<Session> {
    this.opening ??= this.connect().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  private async connect(): Promise<Session> {
    const { statementTimeout, session: sessionSettings = "" } = this.settings;
    const { client, url } = await openClient(this.url, {
      application_name: "steward",
      keepAlive: true,
      statement_timeout: statementTimeout,
      pipeline: true,
    });
    client.on("error", () => this.discard(client));
    client.on("end", () => this.discard(client));
    client.on("notice", ({ routine }) => {
      if (routine === "SyncRepWaitForLSN" && this.session?.client === client) this.session.isUnconfirmed = true;
    });
    const answers = (await client.query(
      `SET DateStyle TO 'ISO, YMD'; SET extra_float_digits TO 1; SET bytea_output TO 'hex'; SET jit TO off; ${sessionSettings}
       SELECT pg_backend_pid() AS pid`,
    )) as unknown as pg.QueryResult<{ pid: number }>[];
    this.zone = "";
    this.planning = "auto";
    this.generation++;
    const backend = answers.at(-1)?.rows[0]?.pid as number;
    this.session = {
      ...{ client, url, sender: new StatementSender(client), backend },
      ...{ pending: 0, isRetired: false, isOutdated: false, isUnconfirmed: false },
    };
    this.settings.onOpen?.(client.host, backend);
    this.watch ??= this.startWatch(statementTimeout + silenceMargin);
    return this.session;
  }

  /**
   * PostgreSQL cancels slow statements. A server that does not answer at all is given up a little later, or as soon as
   * another server takes the changes: a machine that lost its power closes no connections.
   */
  private startWatch(silenceTimeout: number): NodeJS.Timeout {
    const { isChecked } = listServers(this.url);
    const check = () => {
      if (this.session === null) return;
      const runningTime = this.getRunningTime(performance.now());
      if (runningTime > silenceTimeout) this.abandon();
      else if (isChecked && this.session.url !== findCurrentServer(this.url)) {
        if (runningTime > moveInterval) this.abandon("08006");
        else this.retire();
      }
    };
    return setInterval(check, isChecked ? moveInterval : silenceTimeout / 8).unref();
  }

  /** Closes the connection without waiting for the server: everything pending fails, as canceled unless said otherwise. */
  abandon(code = "57014"): void {
    const client = this.session?.client;
    this.session = null;
    if (client !== undefined) destroySocket(client, Object.assign(new Error("the database does not answer"), { code }));
  }

  /** Whether the last commit may be missing on the standby that ought to have it; asked once for each commit. */
  takeUnconfirmed(): boolean {
    const { session } = this;
    if (session === null || !session.isUnconfirmed) return false;
    session.isUnconfirmed = false;
    return true;
  }

  /** The next statement opens a new connection. */
  discard(lost: pg.Client | null = this.session?.client ?? null): void {
    if (lost === null || this.session?.client !== lost) return;
    this.session = null;
    lost.end().catch(() => {});
  }

  /** The next statement opens a new connection; the old one closes when its pending statements are answered. */
  retire(): void {
    const { session } = this;
    this.session = null;
    if (session === null) return;
    session.isRetired = true;
    if (session.pending === 0) session.client.end().catch(() => {});
  }

  async close(): Promise<void> {
    if (this.watch !== null) clearInterval(this.watch);
    const { session } = this;
    this.session = null;
    if (session !== null) await session.client.end().catch(() => {});
  }
}
