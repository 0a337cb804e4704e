import type { Clock } from "../base/clock.ts";
import type { Database, Transaction } from "../storage/database.ts";
import type { Caller } from "./caller.ts";
import type { ChangeEvent } from "./change-event.ts";
import type { Serializer } from "./read/serializer.ts";
import type { Rules } from "./rules.ts";
import type { StatementCache } from "./sql/statement-cache.ts";
import type { Types } from "./types.ts";

/** The accounts that can see a record: its own, those of its directory as well, or those that trust each other too. */
export type Audience = "own" | "directory" | "trusted";

/**
 * `sql` works on the rows `told` (id, event) of the statement that writes events, whose parameters announce.ts lists;
 * `record` is the id of the record in it, `onlookers` selects further accounts that see the record. The numbers it returns are handed to `filled` once they are committed.
 */
export type Outbox = {
  buildSql(reach: Audience, record: string, onlookers: string | null): string;
  onCommitted(numbers: readonly number[]): void;
};

/** What every verb works with. main.ts puts it together; the engine does not know who listens. */
export type Engine = {
  database: Database;
  clock: Clock;
  types: Types;
  rules: Rules;
  serializer: Serializer;
  statements: StatementCache;
  /** who wants to hear of events, if anybody does */
  outbox?: Outbox;
  /** called in the transaction of every change, after its events are written */
  listeners: readonly ((tx: Transaction, by: Caller | null, announcement: ChangeEvent) => void | Promise<void>)[];
  /** changes are made without their events: an import that asked for it */
  suppressEvents?: true;
};
