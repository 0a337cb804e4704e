// The kinds of field, and the words that say who may write one. Plain data: what the server does with a kind
// stands in server/engine/kinds/, one file per kind.

export type Kind =
  | { kind: "id" }
  | { kind: "string"; max?: number }
  | { kind: "text"; maxBytes: number }
  | { kind: "integer"; min: number; max: number; refusal?: string }
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
  | { kind: "reference"; to: string; or?: string }
  | { kind: "references"; to: string; plain?: true }
  | { kind: "backReference"; from: string; field: string }
  | { kind: "strings" }
  | { kind: "customFields" }
  | { kind: "hash" }
  | { kind: "attachments" }
  | { kind: "attachmentsOf"; field: string }
  | { kind: "aggregated"; of: string }
  | { kind: "download"; of: string }
  | { kind: "code"; to: string }
  | { kind: "extension"; category: string }
  | { kind: "localDatetime" }
  | { kind: "recurrence"; without: readonly string[] }
  | { kind: "subject"; type: string; id: string; as: "reference" | "entry" };

export type KindName = Kind["kind"];

/** What a field gets when a record is created without it. */
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
  /** false: cannot be named in ?fields=; whole records and lists show it */
  selectable?: false;
  /** acts when the record is saved, and is kept and shown nowhere: a note, time spent */
  passing?: true;
  /** not stored: the value of that field, until there is a translation of it */
  fallsBackTo?: string;
  /** values that are given out no more, and those that filters by them mean now */
  replaced?: Readonly<Record<string, string>>;
  /** a datetime without an offset is read in the time zone which that field of the record names */
  inZoneOf?: string;
  /** a datetime at which something ends: 12:00am is the midnight at the end of that day, as 24:00 is */
  ends?: true;
  /** another name bodies use for it: `related_ci_id` for `ci` */
  alias?: string;
  /** kept in the table, never on the wire: the parent of an owned child */
  internal?: true;
  /** its column, where the name is taken: `account` of a note is not the account of the row */
  storedAs?: string;
  /** written once, when the record is created */
  onCreateOnly?: true;
  /** required of callers; what a rule makes may be without it */
  askedOf?: "callers";
  /** computed from other fields of the same record whenever it is saved */
  derived?: Derivation;
  /** not stored: worked out by that rule whenever the record is shown */
  computed?: string;
  /** shown to holders of these roles and to the people these fields name ("id": the person itself); null for others */
  confidential?: { roles: readonly string[]; people: readonly string[] };
  /** what it refers to cannot be deleted while this record is there */
  keeps?: true;
  /** rules look for all the records that have a value, whatever their account and state */
  sought?: true;
  /** shown only where ?fields= names it */
  whenAsked?: true;
  format?: "email" | "picture" | "country" | "uri";
  note?: string;
};

export type Derivation = { slugOf: string } | { rule: string };

type Modifier = Partial<Omit<Field, "kind" | "access">> | string;

function field(access: Access, kind: Kind, modifiers: Modifier[]): Field {
  const result: Field = { ...kind, access };
  for (const modifier of modifiers) {
    if (typeof modifier === "string") result.note = modifier;
    else Object.assign(result, modifier);
  }
  return result;
}

/** must be given when creating */
export const req = (kind: Kind, ...modifiers: Modifier[]): Field => field("required", kind, modifiers);
/** may be given */
export const opt = (kind: Kind, ...modifiers: Modifier[]): Field => field("optional", kind, modifiers);
/** returned, never written by a caller */
export const ro = (kind: Kind, ...modifiers: Modifier[]): Field => field("readonly", kind, modifiers);
/** accepted, never returned */
export const wo = (kind: Kind, ...modifiers: Modifier[]): Field => field("writeonly", kind, modifiers);

export const string = (max?: number): Kind => (max === undefined ? { kind: "string" } : { kind: "string", max });
export const text: Kind = { kind: "text", maxBytes: 65_536 };
export const shortText: Kind = { kind: "text", maxBytes: 2048 };
export const boolean: Kind = { kind: "boolean" };
export const decimal: Kind = { kind: "decimal" };
export const float: Kind = { kind: "float" };
export const date: Kind = { kind: "date" };
export const datetime: Kind = { kind: "datetime" };
/** a datetime, or one of the tokens best_effort, clock_stopped, no_target */
export const target: Kind = { kind: "target" };
/** whole minutes; hhh:mm is read too */
export const duration: Kind = { kind: "duration" };
export const timeOfDay: Kind = { kind: "timeOfDay" };
export const timeZone: Kind = { kind: "timeZone" };
export const strings: Kind = { kind: "strings" };
export const customFields: Kind = { kind: "customFields" };
export const hash: Kind = { kind: "hash" };
/** all attachments of the record */
export const attachments: Kind = { kind: "attachments" };
/** attachments used inside the text field of that name */
export const attachmentsOf = (field: string): Kind => ({ kind: "attachmentsOf", field });

/** an address, good for a day, of the stored file whose key that field holds */
export const downloadOf = (key: string): Kind => ({ kind: "download", of: key });

const smallest = -2_147_483_648;
const largest = 2_147_483_647;
/** `refusal`: what is told of anything that is no such number, where it is not told what is wrong with it */
export const integer = (bounds: { min?: number; max?: number; refusal?: string } = {}): Kind => ({
  kind: "integer",
  min: bounds.min ?? smallest,
  max: bounds.max ?? largest,
  ...(bounds.refusal === undefined ? {} : { refusal: bounds.refusal }),
});
/** one value of an enumeration; a second argument narrows the list */
export const choice = (enumeration: string, values?: readonly string[]): Kind =>
  values === undefined ? { kind: "enum", enumeration } : { kind: "enum", enumeration, values };
export const currency: Kind = choice("account.currency");
export const language: Kind = choice("language");

/** one record of another type, named by its name */
export const ref = (to: string): Kind => ({ kind: "reference", to });
/** one record of either type; the two share one sequence of ids, so an id names one record */
export const eitherRef = (to: string, or: string): Kind => ({ kind: "reference", to, or });
/** several records of another type, written as <singular>_ids */
export const refs = (to: string): Kind => ({ kind: "references", to });
/** several records of another type, written and shown as a list of their ids alone; the name ends in _ids */
export const plainIds = (to: string): Kind => ({ kind: "references", to, plain: true });
/** the record of another type whose reference points here */
export const backRef = (from: string, field: string): Kind => ({ kind: "backReference", from, field });
/** all owned children of a type, inline */
export const aggregated = (of: string): Kind => ({ kind: "aggregated", of });
/** the `reference` of a record of a type that an account fills itself, stored as a reference: project categories */
export const codeOf = (to: string): Kind => ({ kind: "code", to });
/** the active UI extension of that category, which applies to all records of the account */
export const extension = (category: string): Kind => ({ kind: "extension", category });
/** a moment on the wall, in whatever time zone it is read in: no offset */
export const localDatetime: Kind = { kind: "localDatetime" };
/** when something comes again; left out of answers when it never does */
export const recurrence: Kind = { kind: "recurrence", without: [] };
export const recurrenceWithout = (...members: string[]): Kind => ({ kind: "recurrence", without: members });
/** the record that two other fields name, shown under the name of its type: a reference, or an entry with its path */
export const subject = (type: string, id: string, as: "reference" | "entry"): Kind => ({
  kind: "subject",
  type,
  id,
  as,
});

export const byDefault = (value: string | number | boolean): Modifier => ({ default: { value } });
export const defaultOfAccount = (setting: string): Modifier => ({ default: { account: setting } });
export const defaultNow: Modifier = { default: { clock: "now" } };
export const defaultCaller: Modifier = { default: { caller: "person" } };
export const defaultTimeZoneOfCaller: Modifier = { default: { caller: "time_zone" } };
/** taken over from the record that another field of this one names */
export const defaultFrom = (reference: string, field: string): Modifier => ({ default: { of: reference, field } });
export const inZoneOf = (field: string): Modifier => ({ inZoneOf: field });
export const atItsEnd: Modifier = { ends: true };
export const passing: Modifier = { passing: true };
export const fallsBackTo = (field: string): Modifier => ({ fallsBackTo: field });
export const replacedBy = (values: Readonly<Record<string, string>>): Modifier => ({ replaced: values });
export const unselectable: Modifier = { selectable: false };
export const keeping: Modifier = { keeps: true };
export const sought: Modifier = { sought: true };
export const whenAsked: Modifier = { whenAsked: true };
export const storedAs = (column: string): Modifier => ({ storedAs: column });
/** required of callers; what a rule makes may be without it */
export const askedOfCallers: Modifier = { askedOf: "callers" };
export const onCreateOnly: Modifier = { onCreateOnly: true };
export const derived = (derivation: Derivation): Modifier => ({ derived: derivation });
export const computed = (rule: string): Modifier => ({ computed: rule });
export const confidential = (roles: readonly string[], people: readonly string[]): Modifier => ({
  confidential: { roles, people },
});
export const email: Modifier = { format: "email" };
export const picture: Modifier = { format: "picture" };
/** an address that may hold a user name and a password: the audit trail leaves those out */
export const uri: Modifier = { format: "uri" };
export const country: Modifier = { format: "country" };
