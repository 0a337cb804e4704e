import type { Clock } from "../base/clock.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Caller } from "./caller.ts";
import type { ChangeEvent } from "./change-event.ts";
import type { KnownTotals } from "./read/known-totals.ts";
import type { Serializer } from "./read/serializer.ts";
import type { Rules } from "./rules.ts";
import type { StatementCache } from "./sql/statement-cache.ts";
import type { Types } from "./types.ts";

/** The accounts that can see records of a type: its own, also those of the directory, or also trusted ones. */
export type Audience = "own" | "directory" | "trusted";

/**
 * Queues messages for events. `buildSql` extends the statement that writes events: it reads their rows `told` (id, event),
 * publish.ts lists the parameters. `record` is the id of the record in the statement, `viewers` selects further accounts
 * that see the record. `onCommitted` gets the ids that the statement returned.
 */
export type Outbox = {
  buildSql(audience: Audience, record: string, viewers: string | null): string;
  onCommitted(ids: readonly number[]): void;
};

/** The context of every operation. assemble-engine.ts assembles it; the engine does not know its listeners. */
export type Engine = {
  database: Database;
  clock: Clock;
  types: Types;
  rules: Rules;
  serializer: Serializer;
  statements: StatementCache;
  totals: KnownTotals;
  /** queues webhook messages for events */
  outbox?: Outbox;
  /** called in the transaction of every change, after its events are written */
  listeners: readonly ((tx: Transaction, by: Caller | null, event: ChangeEvent) => void | Promise<void>)[];
  /** the size of a file that a client has sent to the store itself; null: there is none */
  findUploadedFile?: (key: string) => Promise<number | null>;
  /** a dry run: gives new records an id that no sequence loses */
  takeTemporaryId?: () => number;
  /** changes publish no events: an import with that option */
  suppressEvents?: true;
};
