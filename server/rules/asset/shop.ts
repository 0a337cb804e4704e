import { shopArticle } from "../../../records/configuration/shop-article.ts";
import { shopArticleCategory } from "../../../records/configuration/shop-article-category.ts";
import { shopOrderLine } from "../../../records/configuration/shop-order-line.ts";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { FieldName } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import { parseChoice, parseNumberOrNull } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { allOf, type Clause } from "../../engine/sql/clauses.ts";
import { checkNoParentLoop } from "../shared/parent-loop.ts";
import { shopArticleCovered } from "../sla/coverage.ts";

const isOnOffer = (by: Caller): Clause => ({
  key: "on offer",
  sql: (alias, next) =>
    `(NOT ${alias}.disabled AND coalesce(${alias}.start_at <= ${next()}, true) AND coalesce(${alias}.end_at > ${next()}, true))`,
  values: [toTimestamp(by.now), toTimestamp(by.now)],
});

export const shopArticleRules = rulesFor(shopArticle, {
  conditions: {
    "is on offer": isOnOffer,
    "is offered to me": (by) => allOf([isOnOffer(by), shopArticleCovered(by, by.person)]),
  },
});

export const shopArticleCategoryRules = rulesFor(shopArticleCategory, {
  beforeSave: checkNoParentLoop("shop_article_categories"),
});

type OrderLineChange = Change<typeof shopOrderLine>;

const selectArticle = statement(
  `SELECT fulfillment_template_id, name, price, price_currency, recurring_price, recurring_price_currency, recurring_period
FROM shop_articles WHERE id = $1 AND account_id = $2`,
);

/** An order line keeps the values that the article has at the moment it is put into the cart. */
async function copyArticleValues({ tx, by, before, after }: OrderLineChange): Promise<void> {
  if (before !== null || after.shop_article === null) return;
  const [row] = await tx.query(selectArticle, [after.shop_article, by.account]);
  if (row === undefined) return;
  const [template, name, price, priceCurrency, recurringPrice, recurringPriceCurrency, recurringPeriod] = row;
  const { fields } = shopArticle;
  after.fulfillment_template = parseNumberOrNull(template);
  after.name = name ?? null;
  after.price = price ?? null;
  after.price_currency = parseChoice(fields.price_currency, priceCurrency);
  after.recurring_price = recurringPrice ?? null;
  after.recurring_price_currency = parseChoice(fields.recurring_price_currency, recurringPriceCurrency);
  after.recurring_period = parseChoice(fields.recurring_period, recurringPeriod);
}

type EditableField = FieldName<typeof shopOrderLine>;
const editableFields: Partial<Record<EnumerationValue<"shop_order_line.status">, readonly EditableField[]>> = {
  in_cart: ["requested_for", "quantity", "custom_fields"],
  fulfillment_pending: ["custom_fields"],
};

/** Everything else of a line is changed by the service alone, when the line is ordered and delivered. */
const callerFields: readonly string[] = editableFields.in_cart ?? [];

function checkEditable({ before, changed, problem }: OrderLineChange): void {
  if (before === null) return;
  const editable: readonly string[] = editableFields[before.status] ?? [];
  const refuse: Change["problem"] = problem; // `changed` lists its names as plain text
  for (const name of changed)
    if (callerFields.includes(name) && !editable.includes(name)) refuse(name, "cannot be changed");
}

const selectTotals = statement("SELECT $1::numeric * $3::numeric, $2::numeric * $3::numeric * $4::integer");

/** PostgreSQL multiplies, because prices are decimals that must not pass through a binary float. */
async function setTotals({ tx, before, after, changed, problem }: OrderLineChange): Promise<void> {
  if (after.quantity === null) return;
  if (Number(after.quantity) <= 0) return problem("quantity", "is not valid");
  if (before !== null && !changed.has("quantity")) return;
  const periods = after.recurring_period === "monthly" ? 12 : 1;
  const [row] = await tx.query(selectTotals, [after.price, after.recurring_price, after.quantity, periods]);
  after.total_price = row?.[0] ?? null;
  after.total_recurring_price = row?.[1] ?? null;
}

/** `source` of a request that delivers an order line; its `sourceID` is the id of the line. */
export const shopSource = "shop";
const selectLineOfRequest = statement(
  "SELECT id, order_id FROM shop_order_lines WHERE id = $3 AND fulfillment_request_id = $1 AND account_id = $2",
);
const selectOpenLineOfOrder = statement(
  "SELECT 1 FROM shop_order_lines WHERE account_id = $2 AND order_id = $1 AND status NOT IN ('completed', 'canceled') LIMIT 1",
);

/** D-361: in `afterSave` of a request. A line is delivered with its request, and an order is completed with its last line. */
export async function updateOrderLine(change: Change<typeof request>): Promise<void> {
  const { tx, by, id, account, before, after, update } = change;
  if (before === null || (before.status === "completed") === (after.status === "completed")) return;
  if (after.source !== shopSource || !/^\d{1,9}$/.test(after.sourceID ?? "")) return;
  const [row] = await tx.query(selectLineOfRequest, [id, account, Number(after.sourceID)]);
  if (row === undefined) return;
  const isDone = after.status === "completed";
  const isDelivered = isDone && after.completion_reason === "solved";
  await update("shop_order_line", Number(row[0]), {
    status: isDelivered ? "completed" : isDone ? "canceled" : "fulfillment_pending",
    completed_at: isDelivered ? toTimestamp(by.now) : null,
  });
  const order = parseNumberOrNull(row[1]);
  if (!isDone || order === null) return;
  if ((await tx.query(selectOpenLineOfOrder, [order, account])).length > 0) return;
  await update("request", order, { status: "completed", completion_reason: isDelivered ? "solved" : "withdrawn" });
}

export const shopOrderLineRules = rulesFor(shopOrderLine, {
  beforeSave: steps(
    copyArticleValues,
    checkEditable,
    ({ after }) => {
      after.requested_for ??= after.requested_by;
    },
    setTotals,
  ),
});
