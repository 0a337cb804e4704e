// Configuration items and products: values in rank order; labels are in records/languages.
// biome-ignore format: values in rank order, many to a line
export const assets = {
  "ci.status": [
    "ordered", "being_built", "in_stock", "reserved", "in_transit", "installed", "being_tested",
    "standby_for_continuity", "lent_out", "in_production", "undergoing_maintenance", "broken_down", "being_repaired",
    "archived", "to_be_removed", "lost_or_stolen", "removed",
  ],
  "ci.ci_type": ["software_version", "software_license_certificate", "hardware"],
  "ci.license_type": [
    "concurrent_user_license", "cpu_license", "installed_user_license", "named_user_license",
    "unlimited_user_license", "other_type_of_license",
  ],
  "ci_relation.relation_type": [
    "parent", "child", "network_connection", "redundancy", "continuity", "software_dependency",
  ],
  "product_category.rule_set": [
    "physical_asset", "logical_asset_with_financial_data", "logical_asset_without_financial_data", "server",
    "software", "software_distribution_package", "license_certificate",
  ],
  "product.depreciation_method": [
    "na_cost_is_zero", "na_not_capitalized", "na_leased", "not_depreciated", "double_declining_balance",
    "reducing_balance", "straight_line", "sum_of_the_years_digits",
  ],
} as const;
