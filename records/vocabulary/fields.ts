import type { EnumerationName, EnumerationValue } from "../enumerations/index.ts";

// Fields: their kinds, and who may write them. Plain data; server/engine/kinds/ implements the kinds, one file each.

export type Kind =
  | { kind: "id" }
  | { kind: "string"; max?: number }
  | { kind: "text"; maxBytes: number }
  | { kind: "integer"; min: number; max: number; refusal?: string; unit?: "minutes" | "year" }
  | { kind: "decimal" }
  | { kind: "float" }
  | { kind: "boolean" }
  | { kind: "date" }
  | { kind: "datetime" }
  | { kind: "target" }
  | { kind: "duration" }
  | { kind: "timeOfDay" }
  | { kind: "timeZone" }
  | { kind: "enum"; enumeration: string; values?: readonly string[] }
  | { kind: "reference"; to: string; or?: string; hasWordId?: true }
  | { kind: "references"; to: string; plain?: true }
  | { kind: "backReference"; from: string; field: string }
  | { kind: "strings" }
  | { kind: "customFields" }
  | { kind: "hash"; isList?: true }
  | { kind: "attachments" }
  | { kind: "attachmentsOf"; field: string }
  | { kind: "aggregated"; of: string }
  | { kind: "download"; of: string }
  | { kind: "code"; to: string }
  | { kind: "extension"; to: string; category: string }
  | { kind: "localDatetime" }
  | { kind: "recurrence"; without: readonly string[]; calendarType: string; objectType: string }
  | { kind: "subject"; type: string; id: string; as: "reference" | "entry" };

export type KindName = Kind["kind"];

/** The value of a field of a new record that was not given. */
export type Default =
  | { value: string | number | boolean }
  | { account: string } // the same-named setting of the account
  | { caller: "person" | "time_zone" }
  | { of: string; field: string } // the field of the record that the reference `of` names
  | { clock: "now" };

export type Access = "required" | "optional" | "readonly" | "writeonly";

export type Field = Kind & {
  access: Access;
  default?: Default;
  /**
   * false: cannot be named in ?fields=; whole records and lists show it. true: a write-only field that ?fields= may name
   * although it shows nothing, for clients that ask for every field
   */
  selectable?: boolean;
  /** acts when the record is saved and is not stored: a note, time spent */
  transient?: true;
  /** shows the record that was linked first by that link; writing it replaces the links */
  firstOfLink?: string;
  /** not stored: shows the value of that field, until there is a translation of it */
  fallsBackTo?: string;
  /** values that no record has any more, and those that filters by them mean now */
  deprecatedValues?: Readonly<Record<string, string>>;
  /** a datetime without an offset is read in the time zone that this field of the record names */
  timeZoneField?: string;
  /** a datetime at which something ends: 12:00am is the midnight at the end of that day, as 24:00 is */
  endOfPeriod?: true;
  /** the end of a period that begins with that field; `isEmptyAllowed`: both may be the same moment or day */
  endOf?: { start: string; isEmptyAllowed: boolean };
  /** another name in bodies: `related_ci_id` for `ci` */
  alias?: string;
  /** stored, never on the wire: the parent of an owned child */
  internal?: true;
  /** the name of its column, where that of the field is taken: `account` of a note is not the account of the row */
  storedAs?: string;
  /** written once, when the record is created */
  onCreateOnly?: true;
  /** required of callers; records that a rule creates may be without it */
  requiredFrom?: "callers";
  /** computed from other fields of the same record whenever it is saved */
  derived?: Derivation;
  /** not stored: computed by that rule for every response */
  computed?: string;
  /** shown to holders of these roles and to the people these fields name ("id": the person itself); null for others */
  confidential?: { roles: readonly string[]; people: readonly string[] };
  /** the record it refers to cannot be deleted while this record exists */
  restrictDelete?: true;
  /** it may name a record that another account shares with the own one */
  acrossAccounts?: true;
  /** has an index: rules look up all records with a value, in every account and state */
  indexed?: true;
  /** a filter by it has no index of its own: it narrows lists that another filter has made short */
  unindexed?: true;
  /** shown only where ?fields= selects it */
  onlyIfSelected?: true;
  /** readonly, and set by the service on every record */
  alwaysSet?: true;
  format?: "email" | "picture" | "country" | "uri";
  note?: string;
};

/** The fields of a type, by name. */
export type Fields = Record<string, Field>;

export type Derivation = { slugOf: string } | { rule: string };

type Options = Omit<Field, "kind" | "access">;
type Modifier = Partial<Options> | string;

/** The modifiers that decide whether a value can be missing in a row. */
type Carried<M extends readonly Modifier[]> = ([Extract<M[number], { default: { value: unknown } }>] extends [never]
  ? unknown
  : { default: { value: string | number | boolean } }) &
  ([Extract<M[number], { requiredFrom: "callers" }>] extends [never] ? unknown : { requiredFrom: "callers" }) &
  ([Extract<M[number], { alwaysSet: true }>] extends [never] ? unknown : { alwaysSet: true });

/** A field whose kind the compiler knows, for `RowOf`. */
export type FieldOf<A extends Access, K extends Kind, M extends readonly Modifier[]> = K &
  Options & { access: A } & Carried<M>;

const buildField =
  <A extends Access>(access: A) =>
  <const K extends Kind, const M extends readonly Modifier[]>(kind: K, ...modifiers: M): FieldOf<A, K, M> => {
    const result = { ...kind, access };
    for (const modifier of modifiers)
      Object.assign(result, typeof modifier === "string" ? { note: modifier } : modifier);
    return result as FieldOf<A, K, M>; // the modifiers were merged one by one
  };

/** must be given when creating */
export const req = buildField("required");
/** may be given */
export const opt = buildField("optional");
/** returned, never written by a caller */
export const ro = buildField("readonly");
/** accepted, never returned */
export const wo = buildField("writeonly");

export const string = (max?: number): { kind: "string"; max?: number } =>
  max === undefined ? { kind: "string" } : { kind: "string", max };
export const text = { kind: "text", maxBytes: 65_536 } as const satisfies Kind;
export const shortText = { kind: "text", maxBytes: 2048 } as const satisfies Kind;
export const boolean = { kind: "boolean" } as const satisfies Kind;
export const decimal = { kind: "decimal" } as const satisfies Kind;
export const float = { kind: "float" } as const satisfies Kind;
export const date = { kind: "date" } as const satisfies Kind;
export const datetime = { kind: "datetime" } as const satisfies Kind;
/** a datetime, or one of the tokens best_effort, clock_stopped, no_target */
export const target = { kind: "target" } as const satisfies Kind;
/** whole minutes; hhh:mm is read too */
export const duration = { kind: "duration" } as const satisfies Kind;
export const timeOfDay = { kind: "timeOfDay" } as const satisfies Kind;
export const timeZone = { kind: "timeZone" } as const satisfies Kind;
export const strings = { kind: "strings" } as const satisfies Kind;
export const customFields = { kind: "customFields" } as const satisfies Kind;
export const hash = { kind: "hash" } as const satisfies Kind;
/** a list of objects */
export const hashes = { kind: "hash", isList: true } as const satisfies Kind;
/** all attachments of the record */
export const attachments = { kind: "attachments" } as const satisfies Kind;
/** attachments used inside the text field of that name */
export const attachmentsOf = <const F extends string>(field: F) =>
  ({ kind: "attachmentsOf", field }) as const satisfies Kind;

/** the address, valid for a day, of the stored file whose key that field holds */
export const downloadLink = <const F extends string>(key: F) => ({ kind: "download", of: key }) as const satisfies Kind;

const smallest = -2_147_483_648;
const largest = 2_147_483_647;
/**
 * `refusal`: one message for every wrong value, instead of messages that say what is wrong
 * `unit`: people read minutes as hours and minutes, and a year without a separator
 */
export const integer = (
  bounds: { min?: number; max?: number; refusal?: string; unit?: "minutes" | "year" } = {},
): Extract<Kind, { kind: "integer" }> => ({
  kind: "integer",
  min: bounds.min ?? smallest,
  max: bounds.max ?? largest,
  ...(bounds.refusal === undefined ? {} : { refusal: bounds.refusal }),
  ...(bounds.unit === undefined ? {} : { unit: bounds.unit }),
});
/** one value of an enumeration; a second argument narrows the list */
export const choice = <const E extends EnumerationName, const V extends EnumerationValue<E> = EnumerationValue<E>>(
  enumeration: E,
  values?: readonly V[],
): { kind: "enum"; enumeration: E; values?: readonly V[] } =>
  values === undefined ? { kind: "enum", enumeration } : { kind: "enum", enumeration, values };
/** one of these values, which GET /enums does not list */
export const choiceAmong = <const V extends string>(
  enumeration: string,
  values: readonly V[],
): { kind: "enum"; enumeration: string; values: readonly V[] } => ({ kind: "enum", enumeration, values });
export const currency = choice("account.currency");
export const language = choice("language");

/** one record of another type, named by its name */
export const ref = <const T extends string>(to: T) => ({ kind: "reference", to }) as const satisfies Kind;
/** an account, whose id is a word */
export const accountRef = { kind: "reference", to: "account", hasWordId: true } as const satisfies Kind;
/** one record of either type; the two share one sequence of ids, so an id names one record */
export const eitherRef = <const T extends string, const O extends string>(to: T, or: O) =>
  ({ kind: "reference", to, or }) as const satisfies Kind;
/** several records of another type, written as <singular>_ids */
export const refs = <const T extends string>(to: T) => ({ kind: "references", to }) as const satisfies Kind;
/** several records of another type, written and shown as a list of their ids alone; the name ends in _ids */
export const plainIds = <const T extends string>(to: T) =>
  ({ kind: "references", to, plain: true }) as const satisfies Kind;
/** the record of another type whose reference points here */
export const backRef = <const T extends string>(from: T, field: string) =>
  ({ kind: "backReference", from, field }) as const satisfies Kind;
/** all owned children of a type, inline */
export const aggregated = <const T extends string>(of: T) => ({ kind: "aggregated", of }) as const satisfies Kind;
/** the `reference` of a record whose type each account fills itself, stored as its id: project categories */
export const codeRef = <const T extends string>(to: T) => ({ kind: "code", to }) as const satisfies Kind;
/** the active UI extension of that category, which applies to all records of the account */
export const extension = (category: string): Extract<Kind, { kind: "extension" }> => ({
  kind: "extension",
  to: "ui_extension",
  category,
});
/** a local date and time, without an offset */
export const localDatetime = { kind: "localDatetime" } as const satisfies Kind;
/** a recurrence; responses leave it out where there is none */
export const recurrence = {
  kind: "recurrence",
  without: [],
  calendarType: "calendar",
  objectType: "workflow",
} as const satisfies Kind;
export const recurrenceWithout = (...members: string[]): Extract<Kind, { kind: "recurrence" }> => ({
  ...recurrence,
  without: members,
});
/** the record that two other fields name, shown under the name of its type: a reference, or an entry with its path */
export const subject = (type: string, id: string, as: "reference" | "entry"): Extract<Kind, { kind: "subject" }> => ({
  kind: "subject",
  type,
  id,
  as,
});

export const byDefault = <const V extends string | number | boolean>(value: V) =>
  ({ default: { value } }) as const satisfies Modifier;
export const defaultFromAccount = (setting: string): Modifier => ({ default: { account: setting } });
export const defaultNow: Modifier = { default: { clock: "now" } };
export const defaultCaller: Modifier = { default: { caller: "person" } };
export const defaultCallerTimeZone: Modifier = { default: { caller: "time_zone" } };
/** inherited from the record that another field refers to */
export const defaultFrom = (reference: string, field: string): Modifier => ({ default: { of: reference, field } });
export const inTimeZoneFrom = (field: string): Modifier => ({ timeZoneField: field });
export const endOfPeriod: Modifier = { endOfPeriod: true };
/** a date or moment that does not precede that of another field */
export const notBefore = (start: string): Modifier => ({ endOf: { start, isEmptyAllowed: true } });
/** a moment that is later than that of another field */
export const laterThan = (start: string): Modifier => ({ endOf: { start, isEmptyAllowed: false } });
export const transient: Modifier = { transient: true };
export const fallsBackTo = (field: string): Modifier => ({ fallsBackTo: field });
export const deprecatedValues = (values: Readonly<Record<string, string>>): Modifier => ({ deprecatedValues: values });
export const unselectable: Modifier = { selectable: false };
export const selectableInVain: Modifier = { selectable: true };
export const firstOfLink = (link: string): Modifier => ({ firstOfLink: link });
export const restrictDelete: Modifier = { restrictDelete: true };
export const acrossAccounts: Modifier = { acrossAccounts: true };
export const indexed: Modifier = { indexed: true };
export const unindexed: Modifier = { unindexed: true };
export const onlyIfSelected: Modifier = { onlyIfSelected: true };
export const storedAs = (column: string): Modifier => ({ storedAs: column });
/** required of callers; records that a rule creates may be without it */
export const requiredFromCallers = { requiredFrom: "callers" } as const satisfies Modifier;
export const alwaysSet = { alwaysSet: true } as const satisfies Modifier;
export const onCreateOnly: Modifier = { onCreateOnly: true };
export const derived = (derivation: Derivation): Modifier => ({ derived: derivation });
export const computed = (rule: string): Modifier => ({ computed: rule });
export const confidential = (roles: readonly string[], people: readonly string[]): Modifier => ({
  confidential: { roles, people },
});
export const email: Modifier = { format: "email" };
export const picture: Modifier = { format: "picture" };
/** an address that may contain a user name and a password: the audit trail leaves those out */
export const uri: Modifier = { format: "uri" };
export const country: Modifier = { format: "country" };
