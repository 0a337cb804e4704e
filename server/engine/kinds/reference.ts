import type { Field } from "../../../records/vocabulary/index.ts";
import { equalAndSet, type FieldKind, Refusal, scalar } from "./kind.ts";
import { readInteger } from "./number.ts";

/** One id: 7, "7" or {"id": 7}. */
export function readId(input: unknown): number {
  const id =
    typeof input === "object" && input !== null && !Array.isArray(input) ? (input as { id?: unknown }).id : input;
  if (typeof id !== "number" && typeof id !== "string") throw new Refusal("is not a valid reference");
  try {
    return readInteger(id, 1);
  } catch {
    throw new Refusal("is not valid");
  }
}

const maxEntries = 1000;

/** The id of an account is a word. */
function readAccount(input: unknown): string {
  const id =
    typeof input === "object" && input !== null && !Array.isArray(input) ? (input as { id?: unknown }).id : input;
  return scalar(id, "is not a valid reference");
}

export const reference: FieldKind<Extract<Field, { kind: "reference" }>> = {
  read: (input, field) => (field.to === "account" ? readAccount(input) : readId(input)),
  parse: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  write: (text) => text,
  filter: equalAndSet,
  sqlType: "integer",
  schema: () => ({}),
};

/** The whole list, in any order; naming one twice names it once. */
export const references: FieldKind = {
  read(input) {
    const list = Array.isArray(input)
      ? input
      : typeof input === "string"
        ? input.split(",").map((part) => part.trim())
        : null;
    if (list === null) throw new Refusal("is not a valid list");
    if (list.length > maxEntries) throw new Refusal("has too many entries (maximum is {max})", { max: maxEntries });
    return [...new Set(list.map(readId))].sort((a, b) => a - b);
  },
  parse: (text) => (JSON.parse(text) as number[]).sort((a, b) => a - b),
  write: (text) => text,
  filter: null,
  sqlType: "integer[]",
  schema: () => ({}),
};
