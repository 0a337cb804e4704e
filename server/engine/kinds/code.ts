import { type FieldKind, isStorable, Refusal, type Value } from "./kind.ts";
import { readId } from "./reference.ts";

// On the wire the `reference` of a record, in the table its id. Read here is what the caller said; codes.ts finds the id.

/** The reference a caller gave, until the record it names is found. */
export type CodeInput = { readonly reference: string };
export const isCodeInput = (value: Value | undefined): value is CodeInput & { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && "reference" in value;

const unknown = "is not included in the list";

export const code: FieldKind = {
  read(input) {
    if (typeof input === "number") return { reference: String(input) };
    if (typeof input === "string") {
      if (!isStorable(input)) throw new Refusal(unknown);
      return { reference: input };
    }
    return readCodeId(input);
  },
  parse: Number,
  write: (text) => text,
  filter: new Set(["equal", "set"]),
  readFilter: (text) => text,
  sqlType: "integer",
  schema: () => ({ type: "string" }),
};

/** `<field>_id: 7` and {"id": 7}: what callers of other references are used to. */
export function readCodeId(input: unknown): number {
  try {
    return readId(input);
  } catch {
    throw new Refusal(unknown);
  }
}
