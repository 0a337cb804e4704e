import type { RecordType } from "../../../records/vocabulary/index.ts";

// The names of tables that hold more than the rows of one record type.

/** The two columns of the table behind a link or a list of references. */
export const linkColumns = (from: string, to: string): [string, string] => [
  `${from}_id`,
  from === to ? `other_${to}_id` : `${to}_id`,
];
export const referencesTable = (type: string, field: string): string => `${type}_${field}`;

/** The values that participating accounts have of a record. */
export const overlayTable = (type: RecordType): string => `${type.name}_accounts`;
/** The accounts that view a record. */
export const viewersTable = (type: RecordType): string => `${type.name}_viewers`;

/** A list of references that is the inverse of a reference, such as the services of a service category. */
export const isInverseReference = (type: RecordType, name: string): boolean => "by" in (type.links[name] ?? {});
