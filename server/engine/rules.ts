import type { Problem } from "../base/errors.ts";
import type { Transaction } from "../storage/database.ts";
import type { Caller } from "./caller.ts";
import type { AttachmentInput } from "./kinds/attachments.ts";
import type { Reader, Value } from "./kinds/kind.ts";
import type { Clause } from "./sql/clauses.ts";

// Our own rules that fit no table. The engine does not know them: main.ts hands them over, one set per record type.

export type Values = Record<string, Value>;

/** Uploaded files, by the field they are named in. */
export type Attachments = ReadonlyMap<string, readonly AttachmentInput[]>;

/** Something that happened to a record beside a change of its fields, and what messages tell about it. */
export type ExtraEvent = {
  event: string;
  facts: Readonly<Record<string, unknown>>;
  /** what listeners want to know beside it */
  listenerFacts?: Readonly<Record<string, unknown>>;
};

/** What a change made by a rule needs beside its values. */
export type ChangeOptions = {
  /** the account of the record, when it is not that of the change itself */
  account?: string;
  /** the account whose values of its own are meant, where it is not that of the record: from now on it has some */
  participant?: string | null;
  attachments?: Attachments;
  extraEvent?: ExtraEvent;
};

/** A change in progress, as rules see it. */
export type Change = {
  readonly tx: Transaction;
  readonly by: Caller;
  /** the name of the record type */
  readonly type: string;
  readonly id: number;
  /** of the record; the account of the call is by.account */
  readonly account: string;
  /** the other account whose own values `before` and `after` hold; null: those of the record's account */
  readonly participant: string | null;
  readonly before: Values | null;
  readonly after: Values;
  /** fields the caller set to another value than before */
  readonly changed: ReadonlySet<string>;
  /** fields the caller named, whether or not that changes them */
  readonly given: ReadonlySet<string>;
  readonly attachments: Attachments;
  /** the change that brought this one about; null when it is what the caller asked for */
  readonly cause: Change | null;
  problem(...problem: Problem): void;
  /** Creates a record in the same transaction, whatever the caller may do by hand; answers its id. */
  create(type: string, values: Values, more?: ChangeOptions): Promise<number>;
  /** Changes a record likewise; false: it is not there, or archived or trashed, and nothing was done. */
  update(type: string, id: number, values: Values, more?: ChangeOptions): Promise<boolean>;
  /** Tells of values that a rule has written elsewhere because they follow from other records all the time. */
  addDerivedUpdate(type: string, id: number, before: Values, after: Values): void;
  /** For lifecycle effects, which come before the record is stored: what needs it to be there. */
  runAfterSave(act: () => void | Promise<void>): void;
  /** Tells of something beside the changed fields. In `saved` or earlier. */
  addEvent(happening: ExtraEvent): void;
  /** Members that the answer of this call shows, and no later one: a key that was just made. */
  reveal(name: string, value: Value): void;
  /** what the audit trail tells beside the fields: old and new values of what a rule wrote elsewhere */
  readonly extraChanges: Record<string, readonly [Value, Value]>;
};

/**
 * A record that a link was made of or removed from, or that was deleted: as it stood. What happens to other records
 * because of it goes through `change`.
 */
export type LinkContext = { tx: Transaction; by: Caller; id: number; values: Values; account: string; change: Change };
/** `all`: every record of its owner goes, not this one alone */
export type DeleteContext = LinkContext & { isWholeList: boolean };

/** `tell` gets the columns of these fields as text */
export type ColumnComputation = {
  fields: readonly string[];
  compute: (columns: readonly (string | null)[], viewer: Reader) => Value;
};
/** `sql`: JSON, given the alias of the row */
type SqlComputation = { sql: (row: string) => string; isVisibleTo: (roles: ReadonlySet<string>) => boolean };

export type TypeRules = {
  /** row conditions that views, roles and lists name; `here` is the record whose list is asked for */
  conditions?: Record<string, (by: Caller, here?: number) => Clause>;
  /** the rows of a type that is gathered from other tables, as SQL */
  rows?: string;
  /** what the special filters of the type mean; throws BadRequest for values that mean nothing */
  filters?: Record<string, (value: string, by: Caller) => Clause>;
  /** stored values worked out from the others before every save */
  derive?: Record<string, (change: Change) => Value | Promise<Value>>;
  /** values worked out when a record is shown: from its id, from its columns, or by SQL for those who may see the sources */
  compute?: Record<
    string,
    ((id: string, viewer: { origin: string; account: string }) => Value) | ColumnComputation | SqlComputation
  >;
  /** what must hold before a save, beyond what the table says */
  beforeSave?: (change: Change) => void | Promise<void>;
  /** conditions of lifecycle rows */
  guards?: Record<string, (change: Change) => boolean | Promise<boolean>>;
  /** effects of lifecycle rows */
  effects?: Record<string, (change: Change) => void | Promise<void>>;
  /** what else happens in the same transaction, once the record is saved */
  afterSave?: (change: Change) => void | Promise<void>;
  /** what else happens in the same transaction, once the record is deleted; throws what forbids it */
  afterDelete?: (gone: DeleteContext) => void | Promise<void>;
  /** what else happens in the same transaction, before a record that was long enough in the trash is erased */
  beforePurge?: (tx: Transaction, id: number) => void | Promise<void>;
  /** the account that a new record belongs to, where that is not the account of the call */
  accountForCreate?: (tx: Transaction, by: Caller, values: Values) => Promise<string | null>;
  /** the record that a create with these values means; it is changed instead */
  existingFor?: (tx: Transaction, by: Caller, values: Values) => Promise<number | null>;
  /** what else changes in a record that comes back from the archive or the trash */
  valuesOnRestore?: (values: Values) => Values;
  /**
   * What a record with these members may meet among others that are saved at the same moment, in words: those without a
   * common word cannot notice each other. Null: it is saved alone.
   */
  conflictKeys?: (members: Readonly<Record<string, unknown>>, isNew: boolean) => readonly string[] | null;
  /** Before a record is locked, or made: locks what people have to take turns at. */
  lockFirst?: (tx: Transaction, record: { id: number } | { values: Values }) => void | Promise<void>;
  /** what must hold, and what else happens, once a link of that name was made or removed; throws what is wrong */
  afterLinkChange?: Record<string, (link: LinkContext) => void | Promise<void>>;
};

/** For records whose rules look at themselves alone, or at records of other types. */
export const noConflicts = (): readonly string[] => [];
const conflictsWithAll = (): null => null;
/** rules that may look at anything, unless `meets` says more */
const readingHooks = [
  ...(["beforeSave", "derive", "guards", "effects", "afterSave"] as const),
  ...(["existingFor", "accountForCreate", "lockFirst"] as const),
] satisfies readonly (keyof TypeRules)[];
export const conflictKeysFor = (rules: TypeRules): NonNullable<TypeRules["conflictKeys"]> =>
  rules.conflictKeys ?? (readingHooks.some((rule) => rule in rules) ? conflictsWithAll : noConflicts);

export class Rules {
  private readonly sets: Readonly<Record<string, TypeRules>>;
  constructor(sets: Readonly<Record<string, TypeRules>> = {}) {
    this.sets = sets;
  }
  forType(type: string): TypeRules {
    return this.sets[type] ?? {};
  }
}
