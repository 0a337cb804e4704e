// What the rule set of a configuration item says about it: rule_set, ci_type, software.

const softwareRuleSets = ["software", "software_distribution_package", "license_certificate"];

export const isSoftware = (ruleSet: unknown): boolean => softwareRuleSets.includes(ruleSet as string);

/** Of software, what has a type of license is the certificate of it: docs/decisions.md. */
export const getCiRuleSet = (ofProduct: string | null, isLicensed: boolean): string | null =>
  ofProduct === "software" && isLicensed ? "license_certificate" : ofProduct;

export function getCiType(ruleSet: unknown): string | null {
  if (ruleSet === null) return null;
  if (ruleSet === "license_certificate") return "software_license_certificate";
  return isSoftware(ruleSet) ? "software_version" : "hardware";
}
