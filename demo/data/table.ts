// The words the demo company is written in. Members of a row are fields by their names on the wire; a reference is the
// short name of a row of the other type's table (a child's is "parent/name"), and a link or a list of children holds
// what the declaration of the type says.

/** So many days from now, at that hour (UTC): -3 is three days ago. */
export type RelativeTime = { days: number; hour: number };
export const inDays = (days: number, hour = 8): RelativeTime => ({ days, hour });
/** A day of the calendar, so many years from this one: years -1 is last year. */
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
 * Besides its fields a row may say `in` (the account it belongs to), `created` (when), `by` (the person who creates it)
 * and, for people, `roles`; else it is as its table says. A child that is not known by a name says what it is known `as`.
 */
export type Row = { readonly [member: string]: Value | undefined };
export type Rows = Readonly<Record<string, Row>>;

export type Table = {
  type: string;
  in?: string;
  created: RelativeTime;
  /** nobody in particular, unless it is said */
  by?: string;
  /** fields that wait until every link is made */
  later?: readonly string[];
  /** by short name; the organization of an account has the account's id and exists already: its row changes it */
  rows: Rows;
};
