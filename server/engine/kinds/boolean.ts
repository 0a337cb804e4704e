import { type FieldKind, onlyEqual, Refusal } from "./kind.ts";

const trueWords = new Set(["1", "t", "y", "true", "yes", "on"]);

export const boolean: FieldKind = {
  read(input) {
    if (typeof input === "boolean") return input;
    if (typeof input === "number" || typeof input === "string")
      return trueWords.has(String(input).trim().toLowerCase());
    throw new Refusal("is not valid");
  },
  parse: (text) => text === "t",
  // "t" in a column of its own, "true" inside a list.
  write: (text) => (text.startsWith("t") ? "true" : "false"),
  filter: onlyEqual,
  sqlType: "boolean",
  schema: () => ({ type: "boolean" }),
};
