import type { Condition } from "./conditions.ts";
import { alwaysSet, datetime, type Field, type Fields, opt, ro, string } from "./fields.ts";
import { completeGroups, type DeclaredGroups, type Groups } from "./groups.ts";
import type { ValueOf } from "./rows.ts";
import type { StateMachine } from "./state-machine.ts";

/**
 * Records of another type that are linked to this one: POST, DELETE and GET /<collection>/:id/<name>/:other_id. A link is
 * stored in a table of its own, in the inverse of such a table, or as the reference `by` of the other record.
 * `when`: links can be changed only while a field of this record has one of these values.
 * `createByName`: POST /<collection>/:id/<name> with {name} links the record of that name and creates it if necessary.
 */
export type Link<T extends string = string> = (
  | { to: T; table: string }
  | { to: T; inverse: string }
  | { to: T; by: string }
) & {
  when?: { field: string; is: readonly string[] };
  createByName?: true;
};
/** Records that belong to this one: GET, POST, PATCH, DELETE /<collection>/:id/<name>/:child_id. */
export type Child<T extends string = string> = {
  of: T;
  /** the reference that points here, where it does not have the name of this type */
  by?: string;
  /** what callers may do beside reading; everything by default */
  allows?: readonly ChildVerb[];
  /** callers who may read the record may add to it; by default only those who may change it */
  addedBy?: "readers";
  /** only holders of one of these roles may change them */
  roles?: readonly string[];
  /** the sort order of the list, where it is not that of the type */
  sort?: string;
};
export type ChildVerb = "create" | "update" | "delete" | "delete all";
/**
 * A read-only list under a record: rows of a type whose reference `by` points here, or that meet a condition. `through`:
 * an owned type that refers to them, whose records POST and DELETE create and delete. `unless`: values of a field of this
 * record with which the list does not exist (404).
 */
export type List<T extends string = string> = ({ of: T; by: string } | { of: T; where: Condition; through?: T }) & {
  unless?: { field: string; is: readonly string[] };
};
/** POST /<parents>/:id/<path> creates one, with the reference `field` pointing to the parent. */
export type ParentRoute<T extends string = string> = { parent: T; path: string; field: string };

/** `when`: applies to records of which that field is true. `ignoreCase`: files may write it in either case. */
export type NaturalKey<N extends string = string> = { field: N; when?: N; ignoreCase?: true };

export type RecordType = Groups & {
  name: string;
  collection: string;
  /** the name of the type in a nodeID */
  nodeType: string;
  fields: Record<string, Field>;
  /** the field that names a record in references */
  display: string;
  /** the fields that name a record in imported and exported files, the first that applies; none: its id does */
  naturalKey: readonly NaturalKey[];
  defaultFields: readonly string[];
  filterable: readonly string[];
  sortable: readonly string[];
  caseInsensitive: readonly string[];
  /** fields that the search covers, by descending weight; a match in an owned record leads to its owner */
  searchable: readonly string[];
  sort: string;
  views: Record<string, Condition>;
  /** created under these parents, or in the collection with the reference to the parent in the body */
  createdUnder: readonly ParentRoute[];
  /** the parents of a type that exists only under them, and follows the rights on them */
  ownedBy: readonly string[];
  events: readonly string[];
  states: StateMachine | null;
  links: Record<string, Link>;
  children: Record<string, Child>;
  lists: Record<string, List>;
  unique: readonly (readonly string[])[];
};

type NameOf<F extends Fields> = keyof F & string;
/** The names of some fields, in their order. */
export const namesIn = <F extends Fields>(fields: F): readonly NameOf<F>[] => Object.keys(fields) as NameOf<F>[];
/** A condition can also test the account of a row. */
type ConditionOn<F extends Fields> = Condition<NameOf<F> | "account">;

/** The properties that name fields of the type itself: the compiler compares them with `fields`. */
type NamingFields<F extends Fields> = {
  display: NameOf<F>;
  naturalKey: readonly NaturalKey<NameOf<F>>[];
  defaultFields: readonly NameOf<F>[];
  filterable: readonly NameOf<F>[];
  sortable: readonly (NameOf<F> | `${NameOf<F>}_id`)[];
  caseInsensitive: readonly NameOf<F>[];
  searchable: readonly NameOf<F>[];
  sort: NameOf<F> | `-${NameOf<F>}`;
  views: Readonly<Record<string, ConditionOn<F>>>;
  unique: readonly (readonly NameOf<F>[])[];
  states: StateMachine<StateOf<F>> | null;
};
/** the states that a type can be in: the values of its status */
type StateOf<F extends Fields> = F extends { status: infer S extends Field } ? ValueOf<S> & string : string;

/** The properties that name other types: the register compares them with its types. */
type NamingTypes<T extends string> = {
  createdUnder: readonly ParentRoute<T>[];
  ownedBy: readonly T[];
  links: Record<string, Link<T>>;
  children: Record<string, Child<T>>;
  lists: Record<string, List<T>>;
};

type Declaration<F extends Fields, T extends string> = { collection: string; nodeType?: string; fields: F } & Partial<
  NamingFields<NoInfer<F>>
> &
  Partial<NamingTypes<T>> &
  DeclaredGroups<NameOf<NoInfer<F>>, T> & { events?: readonly string[] };

/**
 * A record type whose name and fields the compiler knows. `relatedTypes` exists for the compiler only: the types that it
 * names as parents, children, links and lists.
 */
export type TypedRecord<N extends string = string, F extends Fields = Fields, T extends string = string> = Omit<
  RecordType,
  "name" | "fields"
> & {
  name: N;
  fields: F;
  readonly relatedTypes?: T;
};

const camelCase = (name: string) => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

export function record<const N extends string, F extends Fields, const T extends string = never>(
  name: N,
  declaration: Declaration<F, T>,
): TypedRecord<N, F, T> {
  const display =
    declaration.display ?? ("name" in declaration.fields ? "name" : "subject" in declaration.fields ? "subject" : "id");
  const groups = completeGroups(declaration);
  if ("picture_uri" in declaration.fields) groups.routes.hasAvatar = true;
  return {
    name,
    nodeType: camelCase(name),
    display,
    naturalKey: display === "name" ? [{ field: display }] : [],
    defaultFields: Object.keys(declaration.fields).filter((name) => !declaration.fields[name]?.internal),
    filterable: [],
    sortable: [],
    caseInsensitive: [],
    searchable: [],
    sort: "id",
    views: {},
    createdUnder: [],
    ownedBy: [],
    events: [],
    states: null,
    links: {},
    children: {},
    lists: {},
    unique: [],
    ...declaration,
    ...groups,
  };
}

export const id = ro({ kind: "id" });
export const sources = { source: opt(string(30)), sourceID: opt(string(128)) };
export const timestamps = { created_at: ro(datetime, alwaysSet), updated_at: ro(datetime, alwaysSet) };
/** timestamps that are stored but not shown */
export const hiddenTimestamps = {
  created_at: ro(datetime, alwaysSet, { internal: true }),
  updated_at: ro(datetime, alwaysSet, { internal: true }),
};
