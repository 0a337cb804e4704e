import { enumerations } from "../../records/enumerations/index.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import type { Caller } from "../engine/caller.ts";
import { getEnumeration } from "../engine/kinds/choice.ts";
import { getKind } from "../engine/kinds/index.ts";
import type { Meaning, Value as Stored } from "../engine/kinds/kind.ts";
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

const getTarget = (field: Field): string => getKind(field).targets?.(field)[0] as string;

const readers: Record<Meaning, (stored: NonNullable<Stored>, field: Field) => Value> = {
  text: fromJson,
  number: (stored) => parseNumber(String(stored)) ?? fromJson(Number(stored)),
  choice: (stored, field) => getChoice(getEnumeration(field), String(stored)),
  day: (stored) => new Day(String(stored).slice(0, 10)),
  moment: (stored) => parseStoredMoment(String(stored)),
  target: (stored) => parseStoredMoment(String(stored)),
  record: (stored, field) => new Reference(getTarget(field), stored as number | string),
  records: (stored, field) => (stored as readonly number[]).map((id) => new Reference(getTarget(field), id)),
};

/** Codes are resolved elsewhere: their stored value is the id of a record. */
export function toLanguageValue(field: Field, stored: Stored | undefined): Value {
  if (stored === null || stored === undefined) return null;
  const { meaning } = getKind(field);
  return meaning === undefined ? fromJson(stored) : readers[meaning](stored, field);
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
