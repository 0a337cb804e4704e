import type { Test } from "./conditions.ts";

// Who is told by mail, and when: the words that records/notifications/table.ts is written in.

/** What happened to a record. A new record had no values before. */
export type Occasion =
  | { on: "created" }
  | { on: "deleted" }
  /** one of these fields got another value */
  | { on: "changed"; fields: readonly string[] }
  /** the field got one of these values */
  | { on: "became"; field: string; is: readonly string[] }
  /** something beside the fields, told with facts of its own: a note was added, which the mail brings along */
  | { on: "happened"; what: string; brings: string }
  /** the moment in that field has come, and the record still is as the row says */
  | { on: "reached"; field: string }
  /** server/rules says so, and may name the people */
  | { on: "told" };

/** Somebody who is told. */
export type Recipient =
  /** a person the record refers to, directly or by way of others: "member", "team.coordinator" */
  | { at: string }
  /** the same as it was before the change */
  | { before: string }
  /** the people named by records of a type that refer to this one */
  | { in: string; by: string; person: string }
  | { role: string }
  /** people mentioned in the text of what it brings */
  | { mentioned: true }
  /** those whom the rule named */
  | { named: true };

export type Notification = {
  /** of the enumeration email_template.trigger, where that has one */
  trigger: string;
  on: string;
  when: readonly Occasion[];
  /** what must hold of the record, or of the facts of what happened */
  if?: Readonly<Record<string, Test>>;
  /** the same of the record before */
  was?: Readonly<Record<string, Test>>;
  to: readonly Recipient[];
  /** the reference that names the record the mail is about, where it is not the record itself; the first that is set */
  about?: readonly string[];
  /** what must hold of choices of that record when it is told */
  aboutIs?: Readonly<Record<string, Test>>;
  /** the fields that the mail tells of by itself: who gets it need not be able to read the record, and finds no way there */
  says?: readonly string[];
  /** the text, where it does not have the name of the trigger */
  text?: string;
  /** as a member of a team: people may not want to hear of that */
  asTeam?: true;
  /** whatever the person wants to hear of */
  regardless?: true;
};

export const created: Occasion = { on: "created" };
export const deleted: Occasion = { on: "deleted" };
export const changed = (...fields: string[]): Occasion => ({ on: "changed", fields });
export const became = (field: string, ...is: string[]): Occasion => ({ on: "became", field, is });
export const happened = (what: string, brings: string): Occasion => ({ on: "happened", what, brings });
export const reached = (field: string): Occasion => ({ on: "reached", field });
export const told: Occasion = { on: "told" };

export const at = (...paths: string[]): Recipient[] => paths.map((path) => ({ at: path }));
export const before = (path: string): Recipient => ({ before: path });
export const inEach = (type: string, by: string, person: string): Recipient => ({ in: type, by, person });
export const holdersOf = (role: string): Recipient => ({ role });
export const mentioned: Recipient = { mentioned: true };
export const named: Recipient = { named: true };
