import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { Type, Types } from "../../engine/types.ts";
import { listMemberNames, textMemberNames } from "../language/member-access.ts";
import type { Schema, Shape } from "../language/schema.ts";
import { isReadableField } from "../rule-schema.ts";

// The suggestions at a position of a rule, from the declarations.

export type SuggestionKind = "field" | "relation" | "name" | "function" | "choice" | "word" | "type";
export type Suggestion = {
  text: string;
  kind: SuggestionKind;
  /** what the value is: text, number, person, requests */
  type: string | null;
};

const suggest =
  (kind: SuggestionKind, type: string | null = null) =>
  (text: string): Suggestion => ({ text, kind, type });

const durations = ["minutes", "hours", "days", "weeks", "months", "years", "business_days"];
const momentMembers = ["to_date", "time", "year", "month", "day", "weekday", "format('YYYY-MM-DD')"];
const listCalls = ["select()", "reject()", "map()", "sum()", "min()", "max()", "sort()"];
const withArguments = new Set(["replace", "split", "starts_with", "ends_with", "contains", "first", "last", "match"]);
const asCall = (name: string): string => (withArguments.has(name) || name === "join" ? `${name}()` : name);

export const durationSuggestions = durations.map(suggest("function", "duration"));
export const momentSuggestions = momentMembers.map(suggest("function"));
export const textSuggestions = [...textMemberNames].map(asCall).map(suggest("function"));
export const listSuggestions = [
  ...listCalls.map(suggest("function")),
  ...[...listMemberNames].map(asCall).map(suggest("function")),
];
export const calendarSuggestions = ["target_at()", "duration()"].map(suggest("function"));
export const functionSuggestions = ["find()", "find_all()", "search()", "new()", "coalesce()"].map(suggest("function"));
export const operatorSuggestions = ["and", "or", "in", "not_in", "then", "else", "true", "false", "nil"].map(
  suggest("word"),
);
export const operationSuggestions = ["set", "clear", "add", "remove"].map(suggest("word"));
export const actionSuggestions = [
  ...operationSuggestions,
  ...["update", "add note ''", "add internal note ''", "call webhook ''", "send email to", "after"].map(
    suggest("word"),
  ),
];
export const noteSuggestions = ["note ''", "internal note ''"].map(suggest("word"));
export const wordSuggestion = suggest("word");
export const choiceSuggestion = suggest("choice");
export const typeSuggestion = suggest("type");

// biome-ignore format: a table keeps its columns
export const pseudoSuggestions: readonly Suggestion[] = [
  { text: "self",           kind: "name", type: null },
  { text: "now",            kind: "name", type: "moment" },
  { text: "today",          kind: "name", type: "day" },
  { text: "note",           kind: "name", type: "note" },
  { text: "current_person", kind: "name", type: "person" },
  { text: "account",        kind: "name", type: "account" },
  { text: "rule",           kind: "name", type: "rule" },
];

export function describeShape(types: Types, shape: Shape, field?: Field): string | null {
  if (shape.kind === "record") return shape.type;
  if (shape.kind === "list") return shape.of.kind === "record" ? types.get(shape.of.type).collection : "list";
  return field === undefined ? null : (getKind(field).meaning ?? field.kind);
}

/** Fields that every record has come last. */
const lastMembers = new Set(["id", "source", "sourceID", "created_at", "updated_at"]);

/** The fields and relations of a type that a rule can read, the one that names a record first. */
export function suggestMembers(types: Types, schema: Schema, type: Type): Suggestion[] {
  const relations = [...Object.keys(type.links), ...Object.keys(type.children), ...Object.keys(type.lists)];
  const names = new Set([...Object.keys(type.fields).filter((name) => isReadable(type, name)), ...relations]);
  if (type.name === "note") names.add("public");
  const rank = (name: string) => (name === type.display ? 0 : lastMembers.has(name) ? 2 : 1);
  const ordered = [...names].sort((one, other) => rank(one) - rank(other));
  return ordered.flatMap((text) => {
    const shape = schema.memberShape(type.name, text);
    if (shape === null) return [];
    const kind = shape.kind === "list" ? "relation" : "field";
    return [{ text, kind, type: describeShape(types, shape, type.fields[text]) } as const];
  });
}

/** The values before the save that a rule runs for. */
export const suggestBefore = (types: Types, schema: Schema, type: Type): Suggestion[] =>
  suggestMembers(types, schema, type).flatMap((member) =>
    member.kind === "field" ? [{ ...member, text: `${member.text}_was` }] : [],
  );

const isReadable = (type: Type, name: string): boolean => {
  const field = type.fields[name];
  return field !== undefined && isReadableField(field);
};

/** The fields that an action can set. */
export const suggestSettable = (types: Types, schema: Schema, type: Type): Suggestion[] =>
  Object.entries(type.fields).flatMap(([text, field]) =>
    schema.isSettable(type.name, text, null) && !text.endsWith("_id")
      ? [
          {
            ...{ text, kind: "field" as const },
            type: describeShape(types, schema.memberShape(type.name, text) ?? { kind: "plain" }, field),
          },
        ]
      : [],
  );

/** The relations that records can be added to. */
export const suggestLinkable = (schema: Schema, type: Type): Suggestion[] =>
  [...Object.keys(type.links), ...Object.keys(type.children)].flatMap((text) => {
    const target = schema.linkableType(type.name, text);
    return target === null ? [] : [{ text, kind: "relation" as const, type: target }];
  });
