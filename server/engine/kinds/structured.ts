import { isStorable, type KindOf, Refusal, scalar, type Value } from "./kind.ts";

// Lists, custom fields and hashes: JSON inside a record.

const tooDeep = 20;
const tooMany = 1000;

/** Everything inside must be storable: no NUL, no lone surrogate, no tower of brackets. */
function checked(value: unknown, depth = 0): unknown {
  if (depth > tooDeep) throw new Refusal("is nested too deeply");
  if (typeof value === "string" && !isStorable(value)) throw new Refusal("contains invalid characters");
  if (Array.isArray(value)) {
    if (value.length > tooMany) throw new Refusal("has too many entries (maximum is {max})", { max: tooMany });
    for (const entry of value) checked(entry, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    if (members.length > tooMany) throw new Refusal("has too many entries (maximum is {max})", { max: tooMany });
    for (const [member, entry] of members) {
      if (!isStorable(member)) throw new Refusal("contains invalid characters");
      checked(entry, depth + 1);
    }
  }
  return value;
}

export const strings: KindOf = {
  read(input) {
    const list = Array.isArray(input) ? input : typeof input === "string" ? [input] : null;
    if (list === null) throw new Refusal("is not a valid list");
    if (list.length > tooMany) throw new Refusal("has too many entries (maximum is {max})", { max: tooMany });
    return list.map((entry) => scalar(entry, "is not a valid list"));
  },
  parse: (text) => JSON.parse(text) as string[],
  write: (text) => text,
  filter: null,
  sql: "text[]",
  schema: () => ({ type: "array", items: { type: "string" } }),
};

export const hash: KindOf = {
  read(input) {
    if (typeof input !== "object" || input === null || Array.isArray(input)) throw new Refusal("is not a valid object");
    return checked(input) as Value;
  },
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  sql: "jsonb",
  schema: () => ({ type: "object", additionalProperties: true }),
};

/** In: an object, or an array of {id, value}. Held as an object; ids that are not named keep their value. */
export const customFields: KindOf = {
  read(input) {
    if (typeof input !== "object" || input === null) throw new Refusal("is not a valid object");
    const named: Record<string, unknown> = Object.create(null);
    if (Array.isArray(input)) {
      for (const entry of input as { id?: unknown; value?: unknown }[]) {
        if (typeof entry !== "object" || entry === null || typeof entry.id !== "string")
          throw new Refusal("is not a valid object");
        named[entry.id] = entry.value ?? null;
      }
    } else Object.assign(named, input);
    for (const name of Object.keys(named)) if (name === "" || name.length > 128) throw new Refusal("is not valid");
    return checked({ ...named }) as Value;
  },
  parse: (text) => JSON.parse(text) as Value,
  write: (text) => text,
  filter: null,
  sql: "jsonb",
  schema: () => ({ type: "object", additionalProperties: true }),
};

export const customFieldsAsArray = (text: string): string =>
  JSON.stringify(Object.entries(JSON.parse(text) as Record<string, unknown>).map(([id, value]) => ({ id, value })));
