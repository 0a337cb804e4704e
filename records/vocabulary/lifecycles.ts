// A lifecycle as a table of moves: from, on, if, to, do. What a row only names (a condition or an effect) stands in
// server/rules/<type>.ts under the same words.

export type Trigger =
  | { on: "saved"; states: readonly string[] }
  | { on: "time"; field: string; at: "moment" | "start of day" | "end of day"; zone?: string }
  | { on: "happening"; what: string };

export type Effect =
  | { stamp: string }
  | { clear: string }
  | { increment: string }
  | { set: string; to: string | number | boolean }
  | string;

export type Move = {
  from: string | readonly string[] | "any";
  on: Trigger;
  if?: string;
  to?: string;
  do?: readonly Effect[];
};

export type Lifecycle = {
  field: string;
  states: readonly string[];
  initial: string;
  /** moves no row lists: allowed when the state's needs are met, or refused */
  unlisted: "allowed" | "refused";
  moves: readonly Move[];
};

export const lifecycle = (table: Omit<Lifecycle, "field"> & { field?: string }): Lifecycle => ({
  field: "status",
  ...table,
});

export const savedAs = (...states: string[]): Trigger => ({ on: "saved", states });
/** the moment in that field comes */
export const timeReaches = (field: string): Trigger => ({ on: "time", field, at: "moment" });
/** the day in that field begins, or is over: in the time zone of another field, or in that of the account */
export const dayBegins = (field: string, zone?: string): Trigger => dayOf(field, "start of day", zone);
export const dayEnds = (field: string, zone?: string): Trigger => dayOf(field, "end of day", zone);
const dayOf = (field: string, at: "start of day" | "end of day", zone?: string): Trigger =>
  zone === undefined ? { on: "time", field, at } : { on: "time", field, at, zone };
export const happens = (what: string): Trigger => ({ on: "happening", what });
export const stamp = (field: string): Effect => ({ stamp: field });
export const clear = (field: string): Effect => ({ clear: field });
export const increment = (field: string): Effect => ({ increment: field });
export const set = (field: string, to: string | number | boolean): Effect => ({ set: field, to });
