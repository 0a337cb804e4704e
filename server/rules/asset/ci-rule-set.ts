import type { EnumerationValue } from "../../../records/enumerations/index.ts";

// The values that the rule set of a configuration item determines: rule_set, ci_type, software.

type RuleSet = EnumerationValue<"product_category.rule_set">;

const softwareRuleSets: readonly RuleSet[] = ["software", "software_distribution_package", "license_certificate"];

export const isSoftware = (ruleSet: RuleSet | null): boolean => ruleSet !== null && softwareRuleSets.includes(ruleSet);

/** Software with a license type is a license certificate: D-081. */
export const getCiRuleSet = (ruleSetOfProduct: RuleSet | null, isLicensed: boolean): RuleSet | null =>
  ruleSetOfProduct === "software" && isLicensed ? "license_certificate" : ruleSetOfProduct;

export function getCiType(ruleSet: RuleSet | null): EnumerationValue<"ci.ci_type"> | null {
  if (ruleSet === null) return null;
  if (ruleSet === "license_certificate") return "software_license_certificate";
  return isSoftware(ruleSet) ? "software_version" : "hardware";
}
