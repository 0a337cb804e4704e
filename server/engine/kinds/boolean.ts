import { type KindOf, onlyEqual, Refusal } from "./kind.ts";

const truths = new Set(["1", "t", "y", "true", "yes", "on"]);

export const boolean: KindOf = {
  read(input) {
    if (typeof input === "boolean") return input;
    if (typeof input === "number" || typeof input === "string") return truths.has(String(input).trim().toLowerCase());
    throw new Refusal("is not valid");
  },
  parse: (text) => text === "t",
  // "t" in a column of its own, "true" inside a list.
  write: (text) => (text.startsWith("t") ? "true" : "false"),
  filter: onlyEqual,
  sql: "boolean",
  schema: () => ({ type: "boolean" }),
};
