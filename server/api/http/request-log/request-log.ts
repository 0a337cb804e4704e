import type { Clock } from "../../../base/clock.ts";
import { describeError, type Log } from "../../../base/log.ts";
import { cutToStorable } from "../../../base/storable-text.ts";
import { type Database, statement, type Transaction } from "../../../database/database.ts";
import { cutSecrets } from "./cut-secrets.ts";

// Keeps the calls of the API for those who make them. Answers never wait for it: entries are collected and written once a
// second in one statement, and beyond a limit only failed calls are kept. D-481

export type ApiCallEntry = {
  account: string;
  at: Date;
  method: string;
  /** with the query, as sent */
  url: string;
  status: number;
  milliseconds: number;
  person: number;
  token: number;
  isSession: boolean;
  requestId: string;
  address: string;
  /** of failed calls */
  sent: string | null;
  answered: string | null;
};

const flushInterval = 1000;
const cleanupInterval = 600_000;
/** Calls that are kept per second and process; failed ones may take twice as many places. */
const maxPerFlush = 300;
/** How long calls are kept, in milliseconds. */
export const retention = 7 * 86_400_000;
const maxPerAccount = 200_000;
const maxPath = 1000;
const maxBody = 4096;

const insert = statement(
  `INSERT INTO api_calls (account_id, called_at, method, path, status, milliseconds, person_id, token_id, is_session, request_id, address, sent, answered)
SELECT * FROM json_to_recordset($1::json) AS c (account_id text, called_at timestamptz, method text, path text, status integer, milliseconds integer,
  person_id integer, token_id integer, is_session boolean, request_id text, address text, sent text, answered text)`,
);
const deleteOld = statement(
  "DELETE FROM api_calls WHERE id IN (SELECT id FROM api_calls WHERE called_at < $1 ORDER BY id LIMIT 50000)",
);
const deleteSurplus = statement(
  `DELETE FROM api_calls WHERE account_id = $1 AND id <= (SELECT id FROM api_calls WHERE account_id = $1 ORDER BY id DESC OFFSET ${maxPerAccount} LIMIT 1)`,
);

export class RequestLog {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly log: Log;
  private entries: ApiCallEntry[] = [];
  private readonly accounts = new Set<string>();
  private flushing: Promise<void> | null = null;
  private timers: NodeJS.Timeout[] = [];

  constructor(database: Database, clock: Clock, log: Log) {
    this.database = database;
    this.clock = clock;
    this.log = log;
  }

  start(): void {
    this.timers = [
      setInterval(() => void this.flush(), flushInterval),
      setInterval(() => void this.clean(), cleanupInterval),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Asked before an entry is made. */
  hasRoomFor(status: number): boolean {
    return this.entries.length < (status >= 400 ? 2 * maxPerFlush : maxPerFlush);
  }

  add(entry: ApiCallEntry): void {
    if (this.hasRoomFor(entry.status)) this.entries.push(entry);
  }

  /** Writes what was collected. A failure loses entries of a log, which is better than keeping them for ever. */
  flush(): Promise<void> {
    if (this.flushing !== null) return this.flushing.then(() => (this.entries.length === 0 ? undefined : this.flush()));
    if (this.entries.length === 0) return Promise.resolve();
    const { entries } = this;
    for (const { account } of entries) this.accounts.add(account);
    this.entries = [];
    this.flushing = this.database
      .transaction(async (tx) => insertCalls(tx, entries))
      .catch((error) => this.log.error("calls could not be logged", describeError(error)))
      .finally(() => {
        this.flushing = null;
      });
    return this.flushing;
  }

  /** Bounds the log by age, and by number for accounts with recent calls. */
  async clean(): Promise<void> {
    const accounts = [...this.accounts];
    this.accounts.clear();
    try {
      await this.database.change(deleteOld, [new Date(this.clock.now().getTime() - retention).toISOString()]);
      for (const account of accounts) await this.database.change(deleteSurplus, [account]);
    } catch (error) {
      this.log.error("old calls could not be deleted", describeError(error));
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.flush();
  }
}

export const insertCalls = (tx: Transaction, entries: readonly ApiCallEntry[]): void =>
  tx.send(insert, [JSON.stringify(entries.map(toRow))]);

function toRow(entry: ApiCallEntry): Record<string, unknown> {
  const { account, at, method, url, status, milliseconds, person, token, isSession, requestId, address } = entry;
  const cut = (text: string | null): string | null =>
    text === null ? null : cutToStorable(cutSecrets(text.slice(0, 4 * maxBody)), maxBody);
  return {
    ...{ account_id: account, called_at: at.toISOString(), method, status, milliseconds: Math.round(milliseconds) },
    path: cutToStorable(cutSecrets(url.slice(0, 4 * maxPath)), maxPath),
    ...{ person_id: person, token_id: token, is_session: isSession, request_id: requestId, address },
    ...{ sent: cut(entry.sent), answered: cut(entry.answered) },
  };
}
