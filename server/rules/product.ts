import type { Caller } from "../engine/caller.ts";
import type { Clause } from "../engine/clauses.ts";
import type { TypeRules } from "../engine/rules.ts";
import { slug } from "../engine/save.ts";
import { statement } from "../storage/database.ts";

export const supportedByMyTeams = (by: Caller): Clause => ({
  key: "supported by my teams",
  sql: (alias, next) => `${alias}.support_team_id IN (SELECT team_id FROM team_members WHERE person_id = ${next()})`,
  values: [by.person],
});

// What products and items take over from above follows when it changes there.
const productsFollow = statement("UPDATE products SET rule_set = $3 WHERE category_id = $1 AND account_id = $2");
const itemsFollowCategory = statement(
  `UPDATE cis SET rule_set = $3 FROM products p
WHERE p.id = cis.product_id AND p.category_id = $1 AND cis.account_id = $2 AND cis.rule_set <> 'license_certificate'`,
);
const itemsFollowProduct = statement("UPDATE cis SET brand = $3 WHERE product_id = $1 AND account_id = $2");

export const productCategoryRules: TypeRules = {
  derive: {
    "group and name as one reference": ({ after }) =>
      slug([after.group, after.name].filter((part) => part !== null && part !== "").join("/")),
  },
  meets: ({ rule_set }, isNew) => (isNew || rule_set === undefined ? [] : null),
  saved({ tx, id, by, before, after }) {
    if (before === null || before.rule_set === after.rule_set) return;
    for (const follow of [productsFollow, itemsFollowCategory])
      tx.send(follow, [id, by.account, after.rule_set as string]);
  },
};

const ruleSetOf = statement("SELECT rule_set FROM product_categories WHERE id = $1");

export const productRules: TypeRules = {
  conditions: { "is supported by one of my teams": supportedByMyTeams },
  derive: {
    async "rule set of its category"({ tx, after }) {
      if (after.category === null) return null;
      return (await tx.query(ruleSetOf, [after.category as number]))[0]?.[0] ?? null;
    },
  },
  meets: ({ brand }, isNew) => (isNew || brand === undefined ? [] : null),
  saved({ tx, id, by, before, after }) {
    if (before !== null && before.brand !== after.brand)
      tx.send(itemsFollowProduct, [id, by.account, after.brand as string]);
  },
};
