import type { Clock } from "../base/clock.ts";
import type { Database, Transaction } from "../storage/database.ts";
import type { Announcement } from "./announcement.ts";
import type { Caller } from "./caller.ts";
import type { Output } from "./output.ts";
import type { Rules } from "./rules.ts";
import type { Statements } from "./statements.ts";
import type { Types } from "./types.ts";

/** What every verb works with. main.ts puts it together; the engine does not know who listens. */
export type Engine = {
  database: Database;
  clock: Clock;
  types: Types;
  rules: Rules;
  output: Output;
  statements: Statements;
  /** called in the transaction of every change, after its events are written */
  listeners: readonly ((tx: Transaction, by: Caller | null, announcement: Announcement) => void | Promise<void>)[];
  /** changes are made without their events: an import that asked for it */
  silent?: true;
};
