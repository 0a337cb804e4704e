// A lifecycle as a table of moves: from, on, if, to, do. What a row only names (a condition or an effect) stands in
// server/rules/<type>.ts under the same words.

export type Trigger<S extends string = string> =
  | { on: "saved"; states: readonly S[] }
  | { on: "time"; field: string; at: "moment" | "start of day" | "end of day"; zone?: string };

export type Effect =
  | { stamp: string }
  | { clear: string }
  | { increment: string }
  | { set: string; to: string | number | boolean }
  | string;

/** `S`: the states. */
export type StateMove<S extends string = string> = {
  from: S | readonly S[] | "any";
  on: Trigger<S>;
  if?: string;
  to?: S;
  do?: readonly Effect[];
};

export type StateMachine<S extends string = string> = {
  field: string;
  states: readonly S[];
  initial: S;
  /** moves no row lists: allowed when the state's needs are met, or refused */
  unlisted: "allowed" | "refused";
  moves: readonly StateMove<S>[];
};

export const stateMachine = <const S extends string>(
  table: { states: readonly S[] } & Omit<StateMachine<NoInfer<S>>, "field" | "states"> & { field?: string },
): StateMachine<S> => ({ field: "status", ...table });

export const savedAs = <const S extends string>(...states: S[]): Trigger<S> => ({ on: "saved", states });
/** the moment in that field comes */
export const timeReaches = (field: string): Trigger<never> => ({ on: "time", field, at: "moment" });
/** the day in that field begins, or is over: in the time zone of another field, or in that of the account */
export const dayBegins = (field: string, zone?: string): Trigger<never> => buildDayTrigger(field, "start of day", zone);
export const dayEnds = (field: string, zone?: string): Trigger<never> => buildDayTrigger(field, "end of day", zone);
const buildDayTrigger = (field: string, at: "start of day" | "end of day", zone?: string): Trigger<never> =>
  zone === undefined ? { on: "time", field, at } : { on: "time", field, at, zone };
export const stamp = (field: string): Effect => ({ stamp: field });
export const clear = (field: string): Effect => ({ clear: field });
export const increment = (field: string): Effect => ({ increment: field });
export const set = (field: string, to: string | number | boolean): Effect => ({ set: field, to });
