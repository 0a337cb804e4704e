import type { FieldTest } from "./conditions.ts";

// The vocabulary of records/notifications/table.ts, which defines who gets which email.

/** An event of a record. */
export type NotificationEvent =
  | { on: "created" }
  | { on: "deleted" }
  /** one of these fields got another value */
  | { on: "changed"; fields: readonly string[] }
  /** the field got one of these values */
  | { on: "became"; field: string; is: readonly string[] }
  /** an event beside the fields, with its own facts: a new note, which the email includes */
  | { on: "happened"; what: string; includes: string }
  /** the time in that field is reached, and the record still meets the conditions */
  | { on: "reached"; field: string }
  /** raised by a rule of server/rules, which may name the recipients */
  | { on: "told" };

/** Recipients of an email. */
export type Recipient =
  /** a person the record refers to, directly or through other records: "member", "team.coordinator" */
  | { at: string }
  /** the same before the change */
  | { before: string }
  /** people in records of a type that refer to this one */
  | { in: string; by: string; person: string }
  | { role: string }
  /** people mentioned in the included text */
  | { mentioned: true }
  /** people that the rule names */
  | { named: true };

export type Notification = {
  /** a value of the enumeration email_template.trigger, where there is one */
  trigger: string;
  on: string;
  when: readonly NotificationEvent[];
  /** conditions on the record, or on the facts of the event */
  if?: Readonly<Record<string, FieldTest>>;
  /** conditions on the record before the change */
  ifBefore?: Readonly<Record<string, FieldTest>>;
  to: readonly Recipient[];
  /** references to the email's record, if it is not the record itself; the first that is set */
  subjectPaths?: readonly string[];
  /** conditions on that record when the email is composed */
  subjectIf?: Readonly<Record<string, FieldTest>>;
  /** fields that the email contains: its recipients need not be able to read the record and get no link to it */
  embeddedFields?: readonly string[];
  /** the name of the text, where it is not that of the trigger */
  text?: string;
  /** sent to members of a team, who can turn such emails off */
  isForTeam?: true;
  /** sent regardless of the person's preferences */
  ignoresPreferences?: true;
};

export const created: NotificationEvent = { on: "created" };
export const deleted: NotificationEvent = { on: "deleted" };
export const changed = (...fields: string[]): NotificationEvent => ({ on: "changed", fields });
export const became = (field: string, ...is: string[]): NotificationEvent => ({ on: "became", field, is });
export const extraEvent = (what: string, includes: string): NotificationEvent => ({ on: "happened", what, includes });
export const reached = (field: string): NotificationEvent => ({ on: "reached", field });
export const raisedByRule: NotificationEvent = { on: "told" };

export const personAt = (...paths: string[]): Recipient[] => paths.map((path) => ({ at: path }));
export const personBefore = (path: string): Recipient => ({ before: path });
export const peopleInEach = (type: string, by: string, person: string): Recipient => ({ in: type, by, person });
export const roleHolders = (role: string): Recipient => ({ role });
export const mentionedPeople: Recipient = { mentioned: true };
export const peopleNamedByRule: Recipient = { named: true };
