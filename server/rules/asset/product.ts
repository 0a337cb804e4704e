import { product } from "../../../records/configuration/product.ts";
import { productCategory } from "../../../records/configuration/product-category.ts";
import { type Statement, statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { slugify } from "../../engine/write/complete.ts";
import { getCiRuleSet, getCiType, isSoftware } from "./ci-rule-set.ts";

export const isSupportedByMyTeams = (by: Caller): Clause => ({
  key: "supported by my teams",
  sql: (alias, next) => `${alias}.support_team_id IN (SELECT team_id FROM team_members WHERE person_id = ${next()})`,
  values: [by.person],
});

// Products copy the rule set of their category, configuration items the rule set and brand of their product; the copies
// follow when the original changes.
const updateProductsOfCategory = statement(
  "UPDATE products SET rule_set = $3, revision = revision + 1 WHERE category_id = $1 AND account_id = $2",
);
const buildUpdateCis = (products: string) =>
  statement(`UPDATE cis SET rule_set = $3, ci_type = $4, software = $5, revision = revision + 1
WHERE product_id IN (${products}) AND account_id = $2 AND (license_type IS NOT NULL) = $6::boolean`);
const updateCisOfCategory = buildUpdateCis("SELECT id FROM products WHERE category_id = $1");
const updateCisOfProduct = buildUpdateCis("$1");
const updateBrandOfCis = statement(
  "UPDATE cis SET brand = $3, revision = revision + 1 WHERE product_id = $1 AND account_id = $2",
);

function updateRuleSetOfCis(
  { tx, id, by, before, after }: Change<typeof product | typeof productCategory>,
  updateCis: Statement,
): void {
  if (before === null || before.rule_set === after.rule_set) return;
  for (const isLicensed of [true, false]) {
    const ruleSet = getCiRuleSet(after.rule_set, isLicensed);
    tx.send(updateCis, [id, by.account, ruleSet, getCiType(ruleSet), isSoftware(ruleSet), isLicensed]);
  }
}

export const productCategoryRules = rulesFor(productCategory, {
  derive: {
    "group and name as one reference": ({ after }) =>
      slugify([after.group, after.name].filter((part) => part !== null && part !== "").join("/")),
  },
  conflictKeys: ({ rule_set }, isNew) => (isNew || rule_set === undefined ? [] : null),
  afterSave(change) {
    const { tx, id, by, before, after } = change;
    if (before !== null && before.rule_set !== after.rule_set)
      tx.send(updateProductsOfCategory, [id, by.account, after.rule_set]);
    updateRuleSetOfCis(change, updateCisOfCategory);
  },
});

const selectDuplicateSerialNumber = statement(
  `SELECT 1 FROM cis i JOIN cis o ON o.account_id = i.account_id AND lower(o.brand) = lower($3) AND lower(o.serial_nr) = lower(i.serial_nr) AND o.id <> i.id
WHERE i.product_id = $1 AND i.account_id = $2 LIMIT 1`,
);

/** Configuration items copy the brand, and a serial number is unique within a brand. */
async function checkBrand({ tx, id, account, before, after, changed, problem }: Change<typeof product>): Promise<void> {
  if (before === null || !changed.has("brand") || after.brand === null) return;
  if ((await tx.query(selectDuplicateSerialNumber, [id, account, after.brand])).length > 0)
    problem("brand", "has already been taken");
}

const selectRuleSetOfCategory = statement("SELECT rule_set FROM product_categories WHERE id = $1");

export const productRules = rulesFor(product, {
  conditions: { "is supported by one of my teams": isSupportedByMyTeams },
  beforeSave: checkBrand,
  derive: {
    async "rule set of its category"({ tx, after }) {
      if (after.category === null) return null;
      return (await tx.query(selectRuleSetOfCategory, [after.category]))[0]?.[0] ?? null;
    },
  },
  conflictKeys: ({ brand, category }, isNew) => (isNew || (brand === undefined && category === undefined) ? [] : null),
  afterSave(change) {
    const { tx, id, by, before, after } = change;
    if (before !== null && before.brand !== after.brand) tx.send(updateBrandOfCis, [id, by.account, after.brand]);
    updateRuleSetOfCis(change, updateCisOfProduct);
  },
});
