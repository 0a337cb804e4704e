import type { Problem } from "../base/errors.ts";
import type { Transaction } from "../storage/database.ts";
import type { Caller } from "./caller.ts";
import type { Clause } from "./clauses.ts";
import type { Value } from "./kinds/kind.ts";

// Our own rules that fit no table. The engine does not know them: main.ts hands them over, one set per record type.

export type Values = Record<string, Value>;

/** A change in progress, as rules see it. */
export type Change = {
  tx: Transaction;
  by: Caller;
  id: number;
  before: Values | null;
  after: Values;
  /** fields the caller set to another value than before */
  changed: ReadonlySet<string>;
  problem(...problem: Problem): void;
};

/** A record that a link was made of or removed from, or that was deleted: as it stood. */
export type Linked = { tx: Transaction; by: Caller; id: number; values: Values; account: string };
/** `all`: every record of its owner goes, not this one alone */
export type Removed = Linked & { all: boolean };

export type TypeRules = {
  /** row conditions that views and roles name */
  conditions?: Record<string, (by: Caller, here?: number) => Clause>;
  /** what the special filters of the type mean; throws BadRequest for values that mean nothing */
  filters?: Record<string, (value: string, by: Caller) => Clause>;
  /** stored values worked out from the others before every save */
  derive?: Record<string, (change: Change) => Value | Promise<Value>>;
  /** values worked out from a shown record's id when it is shown */
  compute?: Record<string, (id: string, viewer: { origin: string; account: string }) => Value>;
  /** what must hold before a save, beyond what the table says */
  check?: (change: Change) => void | Promise<void>;
  /** conditions of lifecycle rows */
  when?: Record<string, (change: Change) => boolean | Promise<boolean>>;
  /** effects of lifecycle rows */
  effects?: Record<string, (change: Change) => void | Promise<void>>;
  /** what else happens in the same transaction, once the record is saved */
  saved?: (change: Change) => void | Promise<void>;
  /** what else happens in the same transaction, once the record is deleted; throws what forbids it */
  removed?: (gone: Removed) => void | Promise<void>;
  /** what must hold, and what else happens, once a link of that name was made or removed; throws what is wrong */
  linked?: Record<string, (link: Linked) => void | Promise<void>>;
};

export class Rules {
  private readonly sets: Readonly<Record<string, TypeRules>>;
  constructor(sets: Readonly<Record<string, TypeRules>> = {}) {
    this.sets = sets;
  }
  of(type: string): TypeRules {
    return this.sets[type] ?? {};
  }
}
