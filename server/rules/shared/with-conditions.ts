import type { TypeRules } from "../../engine/rules.ts";

/** Adds the conditions that lists under other types use on this type. */
export const withConditions = (rules: TypeRules, conditions: NonNullable<TypeRules["conditions"]>): TypeRules => ({
  ...rules,
  conditions: { ...rules.conditions, ...conditions },
});
