import { toTimestamp } from "../../base/clock.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { checkNoParentLoop } from "../shared/parent-loop.ts";

export const shopArticleRules: TypeRules = {
  conditions: {
    "is on offer": (by) => ({
      key: "on offer",
      sql: (alias, next) =>
        `(NOT ${alias}.disabled AND coalesce(${alias}.start_at <= ${next()}, true) AND coalesce(${alias}.end_at > ${next()}, true))`,
      values: [toTimestamp(by.now), toTimestamp(by.now)],
    }),
  },
  beforeSave({ after, problem }) {
    if (after.start_at !== null && after.end_at !== null && String(after.end_at) < String(after.start_at))
      problem("end_at", "is not valid");
  },
};

export const shopArticleCategoryRules: TypeRules = { beforeSave: checkNoParentLoop("shop_article_categories") };

const copiedFields = [
  "name",
  "price",
  "price_currency",
  "recurring_price",
  "recurring_price_currency",
  "recurring_period",
];
const selectArticle = statement(
  `SELECT fulfillment_template_id, ${copiedFields.join(", ")} FROM shop_articles WHERE id = $1 AND account_id = $2`,
);
const selectTotals = statement("SELECT $1::numeric * $3::numeric, $2::numeric * $3::numeric * $4::integer");

/** What the article says at the moment it is put into the cart. */
async function copyArticleValues({ tx, by, after }: Change): Promise<void> {
  if (after.shop_article === null) return;
  const [row] = await tx.query(selectArticle, [after.shop_article as number, by.account]);
  if (row === undefined) return;
  after.fulfillment_template = row[0] == null ? null : Number(row[0]);
  copiedFields.forEach((name, index) => {
    after[name] = row[index + 1] ?? null;
  });
}

const editableFields: Record<string, readonly string[]> = {
  in_cart: ["requested_for", "quantity", "custom_fields"],
  fulfillment_pending: ["custom_fields"],
};

export const shopOrderLineRules: TypeRules = {
  async beforeSave(change) {
    const { tx, before, after, changed, problem } = change;
    if (before === null) await copyArticleValues(change);
    else
      for (const name of changed)
        if (!editableFields[String(before.status)]?.includes(name)) problem(name, "cannot be changed");
    after.requested_for ??= after.requested_by ?? null;
    if (after.quantity === null) return;
    if (Number(after.quantity) <= 0) return problem("quantity", "is not valid");
    if (before !== null && !changed.has("quantity")) return;
    const [row] = await tx.query(selectTotals, [
      after.price as string | null,
      after.recurring_price as string | null,
      String(after.quantity),
      after.recurring_period === "monthly" ? 12 : 1,
    ]);
    after.total_price = row?.[0] ?? null;
    after.total_recurring_price = row?.[1] ?? null;
  },
};
