import { invalidValue } from "../errors.ts";
import { isObject } from "../filter/match-filter.ts";
import { type Attribute, findAttribute } from "../schema/attribute.ts";
import { isEmpty, type Members } from "./draft.ts";

// Values as clients send them, in the form in which they are stored.

const limits = { characters: 4000, elements: 100 };

/** The value of an attribute that has one value; undefined: none. A list of one is that one. */
export function cleanSingle(attribute: Attribute, given: unknown): unknown {
  const value = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (isEmpty(value)) return undefined;
  if (attribute.type === "complex") return cleanComplex(attribute, value);
  if (attribute.type === "boolean") return cleanBoolean(attribute, value);
  return cleanText(attribute, value);
}

/** The elements of a list. One element may be given without its list. */
export function cleanList(attribute: Attribute, given: unknown): Members[] {
  if (isEmpty(given)) return [];
  const elements = Array.isArray(given) ? given : [given];
  return keepOnePrimary(
    elements.filter((element) => !isEmpty(element)).map((element) => cleanComplex(attribute, element)),
  );
}

export function checkListLength(attribute: Attribute, list: readonly unknown[]): void {
  if (list.length > limits.elements)
    throw invalidValue(`"${attribute.name}" cannot have more than ${limits.elements} entries.`);
}

/** The last element that was marked is the primary one. */
export function keepOnePrimary(list: Members[]): Members[] {
  const last = list.findLastIndex((element) => element.primary === true);
  return list.map((element, index) =>
    element.primary === true && index !== last ? { ...element, primary: false } : element,
  );
}

function cleanComplex(attribute: Attribute, given: unknown): Members {
  if (typeof given === "string" || typeof given === "number") {
    if (findAttribute(attribute.members ?? [], "value") === undefined)
      throw invalidValue(`"${attribute.name}" must be an object.`);
    return { value: cleanText(attribute, given) };
  }
  if (!isObject(given)) throw invalidValue(`"${attribute.name}" must be an object.`);
  const result: Members = {};
  for (const [name, value] of Object.entries(given)) {
    const member = findAttribute(attribute.members ?? [], name);
    if (member === undefined) continue;
    const cleaned = cleanSingle(member, value);
    if (cleaned !== undefined) result[member.name] = cleaned;
  }
  return result;
}

function cleanBoolean(attribute: Attribute, given: unknown): boolean {
  if (typeof given === "boolean") return given;
  const word = typeof given === "string" ? given.trim().toLowerCase() : "";
  if (word !== "true" && word !== "false") throw invalidValue(`"${attribute.name}" must be true or false.`);
  return word === "true";
}

function cleanText(attribute: Attribute, given: unknown): string {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean")
    throw invalidValue(`"${attribute.name}" must be a text.`);
  const text = String(given);
  if (text.includes("\u0000")) throw invalidValue(`"${attribute.name}" cannot contain the character U+0000.`);
  if (text.length > limits.characters)
    throw invalidValue(`"${attribute.name}" cannot be longer than ${limits.characters} characters.`);
  return text;
}
