import { enumerations } from "../../records/enumerations/index.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import type { Caller } from "../engine/caller.ts";
import type { Value as Stored } from "../engine/kinds/kind.ts";
import { parseNumber } from "./language/number.ts";
import { Choice, Day, fromJson, Moment, Reference, type Value } from "./language/values.ts";

// Converts stored values to values of the language.

const enumerationLists: Record<string, readonly string[]> = enumerations;
const choices = new Map<string, Map<string, Choice>>();

/** Caches choices, so that equal ones are the same object. */
function getChoice(enumeration: string, word: string): Choice {
  let words = choices.get(enumeration);
  if (words === undefined) {
    words = new Map();
    choices.set(enumeration, words);
  }
  let choice = words.get(word);
  if (choice === undefined) {
    choice = new Choice(word, enumerationLists[enumeration] ?? []);
    if (words.size < 1000) words.set(word, choice);
  }
  return choice;
}

const parseStoredMoment = (text: string): Value => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : new Moment(milliseconds);
};

/** Fields of kind `code` are resolved elsewhere: their stored value is the id of a record. */
export function toLanguageValue(field: Field, stored: Stored | undefined): Value {
  if (stored === null || stored === undefined) return null;
  switch (field.kind) {
    case "reference":
      return new Reference(field.to, stored as number | string);
    case "references":
      return (stored as readonly number[]).map((id) => new Reference(field.to, id));
    case "enum":
      return getChoice(field.enumeration, String(stored));
    case "date":
      return new Day(String(stored).slice(0, 10));
    case "datetime":
    case "target":
      return parseStoredMoment(String(stored));
    case "decimal":
    case "float":
      return parseNumber(String(stored)) ?? fromJson(Number(stored));
    default:
      return fromJson(stored);
  }
}

/** Whether the person of the rule may read the field. */
export const mayReadField = (
  field: Field,
  by: Caller,
  values: Readonly<Record<string, unknown>>,
  id: unknown,
): boolean =>
  field.confidential === undefined ||
  field.confidential.roles.some((role) => by.roles.has(role)) ||
  field.confidential.people.some((name) => (name === "id" ? id : values[name]) === by.person);
