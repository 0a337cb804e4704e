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
import type { Transaction } from "../storage/database.ts";
import type { Caller } from "./caller.ts";
import type { AttachmentInput } from "./kinds/attachments.ts";
import type { Reader, Value } from "./kinds/kind.ts";
import type { Clause } from "./sql/clauses.ts";

// Our own rules that fit no table. The engine does not know them: main.ts hands them over, one set per record type.

export type { Values };

/** What a declaration has to say for its hooks to be typed. */
type Declared = { fields: Fields };

/** Names of fields; asking for a name that the type does not have does not compile. */
export type FieldNames<N extends string = string> = Omit<ReadonlySet<string>, "has"> & { has(name: N): boolean };

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

/** A change in progress, as the hooks of a record type see it. */
export type Change<T extends Declared = RecordType> = ChangeOfRow<RowOf<T>, FieldName<T>>;

/** An interface, so that a change of one type is a change of any: the compiler compares rows, not declarations. */
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
  /** fields the caller set to another value than before */
  readonly changed: FieldNames<Name>;
  /** fields the caller named, whether or not that changes them */
  readonly given: FieldNames<Name>;
  readonly attachments: Attachments;
  /** the change that caused this one; null when the caller asked for it */
  readonly cause: Change | null;
  problem(field: Name | "base", message: string, values?: Problem[2]): void;
  /** Creates a record in the same transaction, without asking for the caller's rights; returns its id. */
  create<N extends TypeName>(type: N, values: InputOf<RecordTypes[N]>, options?: ChangeOptions): Promise<number>;
  /** Changes a record likewise; false when it does not exist or is archived or trashed. */
  update<N extends TypeName>(
    type: N,
    id: number,
    values: InputOf<RecordTypes[N]>,
    options?: ChangeOptions,
  ): Promise<boolean>;
  /** Publishes values that a hook has written itself because they follow from other records. */
  addDerivedUpdate(type: TypeName, id: number, before: Values, after: Values): void;
  /** Effects of transitions run before the record is stored: defers what needs the stored record. */
  runAfterSave(action: () => void | Promise<void>): void;
  /** Publishes an event beside the changed fields. In `afterSave` or earlier. */
  addEvent(event: ExtraEvent): void;
  /** Adds a member to the answer of this call alone, such as a key that was just generated. */
  reveal(name: string, value: Value): void;
  /** old and new values that the audit line shows beside the fields, of what a hook wrote elsewhere */
  readonly extraChanges: Record<string, readonly [Value, Value]>;
}

/** Whether a change is one of a record of that type: narrows what `cause` holds. */
export const isChangeOf = <T extends TypedRecord>(type: T, change: Change | null): change is Change<T> & Change =>
  change?.type === type.name;

/**
 * A record that a link was made of or removed from, or that was deleted: as it stood. What happens to other records
 * because of it goes through `change`.
 */
export type LinkContext<T extends Declared = RecordType> = LinkContextOfRow<RowOf<T>>;
interface LinkContextOfRow<Row> {
  tx: Transaction;
  by: Caller;
  id: number;
  values: Row;
  account: string;
  change: Change;
}
/** `all`: every record of its owner goes, not this one alone */
export type DeleteContext<T extends Declared = RecordType> = LinkContext<T> & { isWholeList: boolean };

/** `tell` gets the columns of these fields as text */
export type ColumnComputation = {
  fields: readonly string[];
  compute: (columns: readonly (string | null)[], viewer: Reader) => Value;
};
/** `sql`: JSON, given the alias of the row */
type SqlComputation = { sql: (row: string) => string; isVisibleTo: (roles: ReadonlySet<string>) => boolean };

/** The hooks of a record type. */
export type TypeRules<T extends Declared = RecordType> = {
  /** row conditions that views, roles and lists name; `here` is the record whose list is asked for */
  conditions?: Record<string, (by: Caller, here?: number) => Clause>;
  /** the rows of a type that is gathered from other tables, as SQL */
  rows?: string;
  /** what the special filters of the type mean; throws BadRequest for values that mean nothing */
  filters?: Record<string, (value: string, by: Caller) => Clause>;
  /** stored values worked out from the others before every save */
  derive?: Record<string, (change: Change<T>) => Value | Promise<Value>>;
  /** values worked out when a record is shown: from its id, from its columns, or by SQL for those who may see the sources */
  compute?: Record<
    string,
    ((id: string, viewer: { origin: string; account: string }) => Value) | ColumnComputation | SqlComputation
  >;
  /** what must hold before a save, beyond what the table says */
  beforeSave?: (change: Change<T>) => void | Promise<void>;
  /** conditions of lifecycle rows */
  guards?: Record<string, (change: Change<T>) => boolean | Promise<boolean>>;
  /** effects of lifecycle rows */
  effects?: Record<string, (change: Change<T>) => void | Promise<void>>;
  /** what else happens in the same transaction, once the record is saved */
  afterSave?: (change: Change<T>) => void | Promise<void>;
  /** what else happens in the same transaction, once the record is deleted; throws what forbids it */
  afterDelete?: (context: DeleteContext<T>) => void | Promise<void>;
  /** what else happens in the same transaction, before a record that was long enough in the trash is erased */
  beforePurge?: (tx: Transaction, id: number) => void | Promise<void>;
  /** the account that a new record belongs to, where that is not the account of the call */
  accountForCreate?: (tx: Transaction, by: Caller, values: RowOf<T>) => Promise<string | null>;
  /** the record that a create with these values means; it is changed instead */
  existingFor?: (tx: Transaction, by: Caller, values: RowOf<T>) => Promise<number | null>;
  /** what else changes in a record that comes back from the archive or the trash */
  valuesOnRestore?: (values: RowOf<T>) => InputOf<T>;
  /**
   * What a record with these members may meet among others that are saved at the same moment, in words: those without a
   * common word cannot notice each other. Null: it is saved alone.
   */
  conflictKeys?: (members: Readonly<Record<string, unknown>>, isNew: boolean) => readonly string[] | null;
  /** Before a record is locked, or made: locks what people have to take turns at. */
  lockFirst?: (tx: Transaction, record: { id: number } | { values: RowOf<T> }) => void | Promise<void>;
  /** what must hold, and what else happens, once a link of that name was made or removed; throws what is wrong */
  afterLinkChange?: Record<string, (link: LinkContext<T>) => void | Promise<void>>;
};

type Step<T extends Declared> = (change: Change<T>) => void | Promise<void>;

/** A hook with many steps as a list: they run one after the other, in this order. */
export const steps =
  <T extends Declared>(...list: readonly Step<NoInfer<T>>[]): Step<T> =>
  async (change) => {
    for (const step of list) await step(change);
  };

/** The hooks of that type, with typed rows; the engine calls them with the rows of any type. */
export const rulesFor = <T extends TypedRecord>(_type: T, rules: TypeRules<NoInfer<T>>): TypeRules =>
  rules as unknown as TypeRules; // the engine passes rows of the type that the hooks are registered for

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
