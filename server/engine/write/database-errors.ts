import { Invalid } from "../../base/errors.ts";
import type { Type } from "../types.ts";

/** What the database refuses although the checks passed: a value taken by somebody else at the same moment. */
export function translateDatabaseError(type: Type, error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === "23505") {
    const fields = type.unique.find((list) =>
      constraint?.startsWith(`${type.collection}_unique_${list.join("_")}`.slice(0, 50)),
    );
    if (fields !== undefined) return new Invalid([[fields.at(-1) as string, "has already been taken"]]);
  }
  if (code === "23503") {
    const name = Object.keys(type.fields).find((field) => constraint?.includes(`_${type.columns.get(field)}_fkey`));
    return new Invalid([[name ?? "base", "is not valid"]]);
  }
  if (code === "54000") return new Invalid([["base", "is not valid"]]); // too long for an index
  if (code?.startsWith("22") || code?.startsWith("23")) return new Invalid([["base", "is not valid"]]);
  return error;
}
