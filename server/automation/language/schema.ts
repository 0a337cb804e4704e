// What is known of a value before it is there: enough to tell fields from words, and to find mistakes on save.

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

/** What a rule can name: records and their fields, the words for types. */
export type Schema = {
  /** a readable field or relation of a type; null: there is none of that name */
  memberShape(type: string, name: string): Shape | null;
  /** whether an action may set it */
  isSettable(type: string, name: string): boolean;
  /** the type of what can be added to and removed from a relation; null: nothing can */
  linkableType(type: string, name: string): string | null;
  /** whether notes can be added, and internal ones */
  takesNotes(type: string, internal: boolean): boolean;
  /** the type that find and its like mean by a word */
  findableType(word: string): string | null;
};
