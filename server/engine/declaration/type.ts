import type { Field, Placement, RecordType } from "../../../records/vocabulary/index.ts";
import type { Fragment } from "../sql/clauses.ts";

/** The field that a member of a body writes. */
export type BodyMember = { name: string; field: Field };

/** A list of references with the table that stores it. */
export type ReferenceList = { name: string; field: Field; table: string; ownColumn: string; otherColumn: string };

/** A declaration with all that requests need of it, computed once at the start. */
export type Type = RecordType & {
  /** where rows are read, and where they are written */
  table: string;
  ownTable: string;
  /** `table` as the item of a FROM */
  rows: Fragment;
  /** the column that holds the account of a row */
  accountColumn: string;
  /** fields that responses can show, in the order of the declaration */
  outputFields: readonly string[];
  /** fields that a single record shows unless the request selects some */
  detailFields: readonly string[];
  /** names ?fields= may use */
  selectable: ReadonlySet<string>;
  /** names a body may use */
  members: ReadonlyMap<string, BodyMember>;
  /** the hyphenated name scopes use */
  scopeName: string;
  columns: ReadonlyMap<string, string>;
  /** the rows count their changes in the column `revision`, which If-Match compares */
  hasRevision: boolean;
  /** the fields with their names, and those with their columns but for the id: every save iterates over them */
  fieldEntries: readonly (readonly [string, Field])[];
  storedColumns: readonly (readonly [string, string])[];
  /** what single steps of a save look at, so that none of them passes over all fields */
  savedFields: SavedFields;
  /** lists of references that are stored in a table of their own */
  referenceLists: readonly ReferenceList[];
  /** fields whose input names a record of that type by its `reference` */
  codeFields: readonly { name: string; target: Type }[];
  /** fields that end a period of the record */
  periods: readonly { name: string; field: Field; endOf: NonNullable<Field["endOf"]> }[];
  /** fields whose values are completed once stored and given members are merged */
  completedFields: readonly string[];
  /** where its rows live; every statement on rows that live with their account names it */
  placement: Placement;
  /** columns that the engine empties when a record of this type is deleted */
  referencesToEmpty: readonly { table: string; column: string; accountColumn: string }[];
  /** the owners of a type that follows the rights on them, and the columns that name them */
  owners: readonly Owner[];
};

type FieldEntries = readonly (readonly [string, Field])[];

export type SavedFields = {
  withDefault: FieldEntries;
  required: FieldEntries;
  internal: FieldEntries;
  audited: FieldEntries;
  slugs: readonly { name: string; slugOf: string }[];
  derived: readonly { name: string; rule: string }[];
};

export type Owner = { type: Type; column: string };

/** Looks types up by their names. */
export type TypeRegistry = { readonly all: readonly Type[]; get(name: string): Type; has(name: string): boolean };
