// The format of the demo data. Members of a row are fields by their API names. A reference is the short name of a row of
// the other type's table ("parent/name" for a child). Links and lists of children have the names of their declarations.

/** A number of days from now, at an hour in UTC: -3 is three days ago. */
export type RelativeTime = { days: number; hour: number };
export const inDays = (days: number, hour = 8): RelativeTime => ({ days, hour });
/** A calendar day, relative to the current year: years -1 is last year. */
export type CalendarDay = { years: number; month: number; day: number };
export const onDay = (month: number, day: number, years = 0): CalendarDay => ({ years, month, day });

/** account to roles */
export type Roles = { readonly [account: string]: readonly string[] };
export type Value =
  | string
  | number
  | boolean
  | null
  | RelativeTime
  | CalendarDay
  | readonly string[]
  | readonly Row[]
  | Roles;
/**
 * Besides its fields a row may have `in` (its account), `created` (when), `by` (the person who creates it) and, for people,
 * `roles`; the table holds the defaults. A child without a name has its short name in `as`.
 */
export type Row = { readonly [member: string]: Value | undefined };
export type Rows = Readonly<Record<string, Row>>;

export type Table = {
  type: string;
  in?: string;
  created: RelativeTime;
  /** default: an administrator without a person record */
  by?: string;
  /** fields that are set after all links */
  later?: readonly string[];
  /** by short name; a row with the id of an account updates the existing organization of that account */
  rows: Rows;
};
