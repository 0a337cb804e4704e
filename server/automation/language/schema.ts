// The static types of values: enough to distinguish fields from words, and to find errors when a rule is saved.

export type Shape =
  | { kind: "record"; type: string }
  | { kind: "list"; of: Shape }
  | { kind: "bag" }
  | { kind: "plain" }
  | { kind: "unknown" };

export const unknownShape: Shape = { kind: "unknown" };
export const plainShape: Shape = { kind: "plain" };
export const bagShape: Shape = { kind: "bag" };
export const recordShape = (type: string): Shape => ({ kind: "record", type });
export const listShape = (of: Shape): Shape => ({ kind: "list", of });

/** The names that a rule can refer to: records, their fields, and the names of types. */
export type Schema = {
  /** a readable field or relation of a type; null: there is none with that name */
  memberShape(type: string, name: string): Shape | null;
  /** whether an action may set the field */
  isSettable(type: string, name: string, record: string | null): boolean;
  /** the type of the records that can be added to a relation; null: none can */
  linkableType(type: string, name: string): string | null;
  /** whether notes, or internal notes, can be added */
  takesNotes(type: string, internal: boolean): boolean;
  /** the type that a word means in `find` and `search` */
  findableType(word: string): string | null;
};
