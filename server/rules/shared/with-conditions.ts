import type { TypeRules } from "../../engine/rules.ts";

/** The rules of a type, and the conditions that lists of other types name on it. */
export const withConditions = (own: TypeRules, more: Required<Pick<TypeRules, "conditions">>): TypeRules => ({
  ...own,
  conditions: { ...own.conditions, ...more.conditions },
});
