import type { Transaction } from "../database/database.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { Type } from "./types.ts";

/** The context of a write: the transaction it belongs to, the caller, and the type of the record. */
export type Operation = { engine: Engine; tx: Transaction; by: Caller; type: Type };

/** The same for one record; `account` is the account the record belongs to. */
export type RecordOperation = Operation & { id: number; account: string };
