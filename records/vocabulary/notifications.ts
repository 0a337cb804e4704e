import type { FieldTest } from "./conditions.ts";

// Who is told by mail, and when: the words that records/notifications/table.ts is written in.

/** What happened to a record. A new record had no values before. */
export type NotificationEvent =
  | { on: "created" }
  | { on: "deleted" }
  /** one of these fields got another value */
  | { on: "changed"; fields: readonly string[] }
  /** the field got one of these values */
  | { on: "became"; field: string; is: readonly string[] }
  /** something beside the fields, told with facts of its own: a note was added, which the mail brings along */
  | { on: "happened"; what: string; includes: string }
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
  when: readonly NotificationEvent[];
  /** what must hold of the record, or of the facts of what happened */
  if?: Readonly<Record<string, FieldTest>>;
  /** the same of the record before */
  ifBefore?: Readonly<Record<string, FieldTest>>;
  to: readonly Recipient[];
  /** the reference that names the record the mail is about, where it is not the record itself; the first that is set */
  subjectPaths?: readonly string[];
  /** what must hold of choices of that record when it is told */
  subjectIf?: Readonly<Record<string, FieldTest>>;
  /** the fields that the mail tells of by itself: who gets it need not be able to read the record, and finds no way there */
  embeddedFields?: readonly string[];
  /** the text, where it does not have the name of the trigger */
  text?: string;
  /** as a member of a team: people may not want to hear of that */
  isForTeam?: true;
  /** whatever the person wants to hear of */
  ignoresPreferences?: true;
};

export const created: NotificationEvent = { on: "created" };
export const deleted: NotificationEvent = { on: "deleted" };
export const changed = (...fields: string[]): NotificationEvent => ({ on: "changed", fields });
export const became = (field: string, ...is: string[]): NotificationEvent => ({ on: "became", field, is });
export const extraEvent = (what: string, brings: string): NotificationEvent => ({
  on: "happened",
  what,
  includes: brings,
});
export const reached = (field: string): NotificationEvent => ({ on: "reached", field });
export const raisedByRule: NotificationEvent = { on: "told" };

export const personAt = (...paths: string[]): Recipient[] => paths.map((path) => ({ at: path }));
export const personBefore = (path: string): Recipient => ({ before: path });
export const peopleInEach = (type: string, by: string, person: string): Recipient => ({ in: type, by, person });
export const roleHolders = (role: string): Recipient => ({ role });
export const mentionedPeople: Recipient = { mentioned: true };
export const peopleNamedByRule: Recipient = { named: true };
