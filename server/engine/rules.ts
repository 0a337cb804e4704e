import type { RecordTypes, TypeName } from "../../records/index.ts";
import type {
  FieldName,
  Fields,
  InputOf,
  RecordType,
  RowOf,
  TypedRecord,
  Values,
} from "../../records/vocabulary/index.ts";
import type { Problem } from "../base/errors.ts";
import type { IncludedRead, Transaction } from "../database/database.ts";
import type { Caller } from "./caller.ts";
import type { AttachmentInput } from "./kinds/attachments.ts";
import type { Reader, Value } from "./kinds/kind.ts";
import type { Clause, Fragment } from "./sql/clauses.ts";
import type { Query } from "./sql/query.ts";

// Hooks of record types, for behavior that no table can express. assemble-engine.ts hands them to the engine, one set per type.

export type { Values };

/** The part of a declaration that types its hooks. */
type Declared = { fields: Fields };

/** Names of fields; `has` with a name that the type does not have does not compile. */
export type FieldNames<N extends string = string> = Omit<ReadonlySet<string>, "has"> & { has(name: N): boolean };

/** Uploaded files by field. */
export type Attachments = ReadonlyMap<string, readonly AttachmentInput[]>;

/** An event beside the changed fields, such as a new note, and the facts that messages contain about it. */
export type ExtraEvent = {
  event: string;
  facts: Readonly<Record<string, unknown>>;
  /** further facts for listeners */
  listenerFacts?: Readonly<Record<string, unknown>>;
};

/** Options of a change that a rule makes. */
export type ChangeOptions = {
  /** the account of the record, when it is not that of the causing change */
  account?: string;
  /** changes the overlay of this account, which becomes a participant if it is none */
  participant?: string | null;
  attachments?: Attachments;
  extraEvent?: ExtraEvent;
};

/** A pending change as hooks see it. */
export type Change<T extends Declared = RecordType> = ChangeOfRow<RowOf<T>, FieldName<T>>;

/** An interface, so that the compiler compares rows, not declarations: a change of one type is a change of any. */
interface ChangeOfRow<Row, Name extends string> {
  readonly tx: Transaction;
  readonly by: Caller;
  /** the name of the record type */
  readonly type: string;
  readonly id: number;
  /** of the record; the account of the call is by.account */
  readonly account: string;
  /** the participating account whose overlay `before` and `after` hold; null: the values of the record's own account */
  readonly participant: string | null;
  readonly before: Row | null;
  readonly after: Row;
  /** fields that the caller set to another value than before */
  readonly changed: FieldNames<Name>;
  /** fields that the caller named, whether or not that changes them */
  readonly given: FieldNames<Name>;
  readonly attachments: Attachments;
  /** it is always rolled back: the effects of a later job show only if they happen immediately */
  readonly isDryRun: boolean;
  /** the change that caused this one; null for a change by the caller */
  readonly cause: Change | null;
  problem(field: Name | "base", message: string, values?: Problem[2]): void;
  /** Creates a record in the same transaction, without a check of rights; returns its id. */
  create<N extends TypeName>(type: N, values: InputOf<RecordTypes[N]>, options?: ChangeOptions): Promise<number>;
  /** Changes a record likewise; false when there is no such active record. */
  update<N extends TypeName>(
    type: N,
    id: number,
    values: InputOf<RecordTypes[N]>,
    options?: ChangeOptions,
  ): Promise<boolean>;
  /** Publishes values that a hook has written itself because they follow from other records. */
  addDerivedUpdate(type: TypeName, id: number, before: Values, after: Values): void;
  /** Defers an action until the record is stored; effects of transitions run before. */
  runAfterSave(action: () => void | Promise<void>): void;
  /** Adds an event beside the changed fields; in `afterSave` or earlier. */
  addEvent(event: ExtraEvent): void;
  /** Adds a member to the response of this call alone, such as a key that was just generated. */
  reveal(name: string, value: Value): void;
  /** old and new values for the audit line beside the fields */
  readonly extraChanges: Record<string, readonly [Value, Value]>;
}

/** Whether a change is one of that type; narrows `cause`. */
export const isChangeOf = <T extends TypedRecord>(type: T, change: Change | null): change is Change<T> & Change =>
  change?.type === type.name;

/** A record whose links changed, or that was deleted, with its values before. Hooks change other records by `change`. */
export type LinkContext<T extends Declared = RecordType> = LinkContextOfRow<RowOf<T>>;
interface LinkContextOfRow<Row> {
  tx: Transaction;
  by: Caller;
  id: number;
  values: Row;
  account: string;
  change: Change;
}
/** `isWholeList`: all records of the parent are deleted, not this one alone */
export type DeleteContext<T extends Declared = RecordType> = LinkContext<T> & { isWholeList: boolean };

/** `compute` gets the columns of these fields as text */
export type ColumnComputation = {
  fields: readonly string[];
  compute: (columns: readonly (string | null)[], viewer: Reader) => Value;
};
/** `sql` builds JSON, given the alias of the row */
type SqlComputation = { sql: (row: string) => string; isVisibleTo: (roles: ReadonlySet<string>) => boolean };

/** The hooks of a record type. */
export type TypeRules<T extends Declared = RecordType> = {
  /** row conditions that views, roles and lists name; `here` is the record that a list belongs to */
  conditions?: Record<string, (by: Caller, here?: number) => Clause>;
  /** the rows of a virtual type, as SQL */
  rows?: string;
  /** the special filters of the type; a value that begins with "!" negates; throws BadRequest for an invalid value */
  filters?: Record<string, (value: string, by: Caller) => Clause>;
  /** stored values that are computed from others before every save */
  derive?: Record<string, (change: Change<T>) => Value | Promise<Value>>;
  /** values that are computed for responses: from the id, from columns, or by SQL */
  compute?: Record<
    string,
    ((id: string, viewer: { origin: string; account: string }) => Value) | ColumnComputation | SqlComputation
  >;
  /** completes and checks values before a save */
  beforeSave?: (change: Change<T>) => void | Promise<void>;
  /** conditions of transitions */
  guards?: Record<string, (change: Change<T>) => boolean | Promise<boolean>>;
  /** effects of transitions */
  effects?: Record<string, (change: Change<T>) => void | Promise<void>>;
  /** runs in the same transaction once the record is stored */
  afterSave?: (change: Change<T>) => void | Promise<void>;
  /** runs in the same transaction once the record is deleted; may throw to forbid it */
  afterDelete?: (context: DeleteContext<T>) => void | Promise<void>;
  /** runs in the same transaction before a trashed record is purged */
  beforePurge?: (tx: Transaction, id: number, account: string) => void | Promise<void>;
  /** the account of a new record, where that is not the account of the call */
  accountForCreate?: (tx: Transaction, by: Caller, values: RowOf<T>) => Promise<string | null>;
  /** an existing record that a create with these values means; it is updated instead */
  existingFor?: (tx: Transaction, by: Caller, values: RowOf<T>) => Promise<number | null>;
  /** further values of a record that is restored from the archive or the trash */
  valuesOnRestore?: (values: RowOf<T>) => InputOf<T>;
  /**
   * Keys of everything that saving a record with these members may conflict with: an import saves records without a common
   * key at the same time. Null: the record is saved alone.
   */
  conflictKeys?: (members: Readonly<Record<string, unknown>>, isNew: boolean) => readonly string[] | null;
  /**
   * Takes further locks before the record is locked or created, so that all writers lock in the same order. `members`: what
   * a caller wants to change, not yet checked.
   */
  lockFirst?: (
    tx: Transaction,
    record: { account: string } & ({ id: number; members?: Readonly<Record<string, unknown>> } | { values: RowOf<T> }),
  ) => void | Promise<void>;
  /**
   * Sends the reads that the other hooks will want and that depend on the input alone (`tx.readAhead`). A read that is sent
   * in vain costs time, one that is not sent a round trip.
   */
  readAhead?: {
    /** returns what it wants to know about records that the new one may refer to */
    ofCreate?: (
      tx: Transaction,
      save: { by: Caller; account: string; values: RowOf<T> },
    ) => Promise<readonly ReferenceFacts[]>;
    /** the record is being locked: its values are not known yet */
    ofUpdate?: (tx: Transaction, save: { by: Caller; id: number; members: Readonly<Record<string, unknown>> }) => void;
  };
  /** runs once a link of that name was added or removed; may throw to forbid it */
  afterLinkChange?: Record<string, (link: LinkContext<T>) => void | Promise<void>>;
};

/**
 * The facts that hooks will need of a record: columns of its row `a`. If a new reference names the record, the statement that
 * checks the reference reads them as well (D-723).
 */
export type ReferenceFacts = {
  /** the name of the type */
  of: string;
  id: number;
  columns: Fragment;
  /** what a hook asks for; its columns are the first of these */
  asked: Query;
  /** other reads that the columns answer */
  included: readonly IncludedRead[];
};

type Step<T extends Declared> = (change: Change<T>) => void | Promise<void>;

/** A hook as a list of steps that run one after the other. Most have nothing to wait for, and a save has dozens of them. */
export const steps =
  <T extends Declared>(...list: readonly Step<NoInfer<T>>[]): Step<T> =>
  async (change) => {
    for (const step of list) {
      const waiting = step(change);
      if (waiting !== undefined) await waiting;
    }
  };

/** The hooks of a type, with typed rows. */
export const rulesFor = <T extends TypedRecord>(_type: T, rules: TypeRules<NoInfer<T>>): TypeRules =>
  rules as unknown as TypeRules; // the engine passes rows of the type that the hooks are registered for

/** For types whose hooks read only the record itself, or records of other types. */
export const noConflicts = (): readonly string[] => [];
const conflictsWithAll = (): null => null;
/** hooks that may read anything, unless `conflictKeys` says what */
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
