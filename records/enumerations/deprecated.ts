import type { EnumerationName } from "./index.ts";

/** Values that the API accepts and shows, and that the interface no longer offers. */
export const deprecatedChoices: Readonly<Partial<Record<EnumerationName, readonly string[]>>> = {
  "workflow.status": ["risk_and_impact", "approval", "implementation"],
  "product.depreciation_method": ["na_cost_is_zero", "na_not_capitalized", "na_leased"],
};
