import {
  boolean,
  byDefault,
  choice,
  derived,
  fallsBackTo,
  id,
  integer,
  opt,
  picture,
  record,
  ref,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
} from "../vocabulary/index.ts";

/** a product category is never a license certificate; a configuration item can be one */
export const ruleSets = [
  "physical_asset",
  "logical_asset_with_financial_data",
  "logical_asset_without_financial_data",
  "server",
  "software",
  "software_distribution_package",
] as const;

const days = integer({ min: 0 });

// biome-ignore format: a table keeps its columns
export const productCategory = record("product_category", {
  collection: "product_categories",
  fields: {
    id,
    ...sources,
    name:                        req(string(255)),
    group:                       req(string(255)),
    reference:                   ro(string(80), derived({ rule: "group and name as one reference" })),
    rule_set:                    req(choice("product_category.rule_set", ruleSets)),
    disabled:                    opt(boolean, byDefault(false)),
    localized_name:              ro(string(255), fallsBackTo("name")),
    localized_group:             ro(text, fallsBackTo("group")),
    review_in_use_since_days:    opt(days),
    review_last_seen_days:       opt(days),
    review_end_of_support_days:  opt(days),
    review_license_expiry_days:  opt(days),
    review_warranty_expiry_days: opt(days),
    picture_uri:                 opt(string(), picture),
    ui_extension:                opt(ref("ui_extension"), "for the products of the category"),
    ...timestamps,
  },
  naturalKey:      [{ field: "reference" }],
  defaultFields:   ["id", "sourceID", "name", "group", "rule_set", "reference", "localized_group", "localized_name", "created_at", "updated_at"],
  filterable:      ["id", "source", "sourceID", "reference", "rule_set", "created_at", "updated_at", "disabled", "name"],
  caseInsensitive: ["source", "sourceID", "reference", "name"],
  sortable:        ["id", "sourceID", "rule_set", "reference", "created_at", "updated_at"],
  sort:            "name",
  unique:          [["reference"]],
});
