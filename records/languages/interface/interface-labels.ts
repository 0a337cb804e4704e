/**
 * What only the interface shows. GET /enums returns long, deprecated or technical texts for some values, which other programs
 * may rely on.
 */
export type InterfaceLabels = {
  /** enumeration -> value -> label */
  choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** what happens in "request.note-added", after the name of the record type: "Request: note added" */
  events: Readonly<Record<string, string>>;
  /** what causes an email in "request/new_note", after the name of the record type: "Request: New note" */
  triggers: Readonly<Record<string, string>>;
  /** groups of triggers that aren't named after a record type */
  triggerGroups: Readonly<Record<string, string>>;
  /** by the name of a field whose label doesn't say enough: one sentence below its input, without names of the API */
  hints: Readonly<Record<string, string>>;
};
