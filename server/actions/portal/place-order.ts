import type { PlacedOrder } from "../../../records/answers/portal-offers.ts";
import { toTimestamp } from "../../base/clock.ts";
import { Invalid } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { applyChange, createUnchecked, prepareChange } from "../../engine/change.ts";
import { deleteRecord } from "../../engine/delete.ts";
import type { Engine } from "../../engine/engine.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { describeLine } from "../../rules/asset/order-lines.ts";
import { shopSource } from "../../rules/asset/shop.ts";
import { findReadable } from "./list-records.ts";

// The cart of a requester becomes an order: one request for the whole, and one for each line from the template of its
// article, so that those who deliver it find it in their inbox (D-361).

type Line = {
  id: number;
  name: string;
  quantity: string;
  requested_for: number;
  template: number;
  custom_fields: Readonly<Record<string, unknown>> | null;
  article: number;
  most: number | null;
};
const selectCart = jsonStatement<Line>(
  `SELECT l.id, l.name, trim_scale(l.quantity)::text AS quantity, l.requested_for_id AS requested_for, l.fulfillment_template_id AS template, l.custom_fields,
  a.id AS article, a.max_quantity AS most
FROM shop_order_lines l JOIN shop_articles a ON a.id = l.shop_article_id AND a.account_id = l.account_id
WHERE l.account_id = $1 AND l.requested_by_id = $2 AND l.status = 'in_cart' ORDER BY l.id FOR UPDATE OF l`,
);

/** `reason`: why it is needed; those who approve and deliver it read it. */
export async function placeOrder(engine: Engine, by: Caller, reason: unknown): Promise<PlacedOrder> {
  const why = parseReason(reason);
  return engine.database.transaction(async (tx) => {
    const now = toTimestamp(by.now);
    const lines = await queryRows(tx, selectCart, [by.account, by.person]);
    if (lines.length === 0) throw new Invalid([["order", "can't be blank"]]);
    // Coverage may have ended since the articles were put into the cart.
    const articles = [...new Set(lines.map(({ article }) => article))];
    const offered = await findReadable(engine, by, "shop_article", articles, ["on_offer"]);
    const refused = lines.filter(
      ({ article, most, quantity }) => !offered.has(article) || Number(quantity) > (most ?? 1),
    );
    if (refused.length > 0)
      throw new Invalid(refused.map(({ name }) => ["shop_article", "cannot be ordered: {name}", { name }]));
    const order = await createUnchecked(
      { engine, tx, by, type: engine.types.get("request") },
      {
        category: "order",
        subject: lines
          .map(({ name }) => name)
          .join(", ")
          .slice(0, 255),
        requested_by: by.person,
        requested_for: by.person,
        note: [lines.map(describeLine).join("\n"), ...why].join("\n\n"),
      },
      { account: by.account },
    );
    for (const line of lines) await orderLine(engine, tx, by, line, { order, now, why });
    return { order, lines: lines.map(({ id }) => id) };
  }, by.zone);
}

const maxReason = 2000;

/** None, or one. */
function parseReason(reason: unknown): readonly string[] {
  if (reason === undefined || reason === null) return [];
  if (typeof reason !== "string" || reason.length > maxReason) throw new Invalid([["reason", "is not valid"]]);
  return reason.trim() === "" ? [] : [reason.trim()];
}

async function orderLine(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  line: Line,
  { order, now, why }: { order: number; now: string; why: readonly string[] },
): Promise<void> {
  const type = engine.types.get("shop_order_line");
  const before = await lockActiveValues(engine, tx, type, line.id, by.account);
  if (before === null) return; // the statement above has locked it
  const place = { id: line.id, account: by.account, before };
  const values = { order, status: "fulfillment_pending", ordered_at: now };
  const change = prepareChange({ engine, tx, by, type }, place, values);
  // Caused by the order: the template need not be one that the requester may read.
  change.runAfterSave(async () => {
    const fulfillment_request = await change.create("request", {
      template: line.template,
      subject: line.name,
      requested_by: by.person,
      requested_for: line.requested_for,
      note: [describeLine(line), ...why].join("\n\n"),
      source: shopSource,
      sourceID: String(line.id),
      ...(line.custom_fields === null ? {} : { custom_fields: line.custom_fields }),
    });
    await change.update("shop_order_line", line.id, { fulfillment_request });
  });
  await applyChange(change);
}

/** Lines in the person's own cart can be removed; ordered lines stay. */
export async function removeFromCart(engine: Engine, by: Caller, id: number): Promise<undefined> {
  const clause = {
    key: "own line in the cart",
    sql: (alias: string, next: () => string) =>
      `(${alias}.requested_by_id = ${next()} AND ${alias}.status = 'in_cart')`,
    values: [by.person],
  };
  await deleteRecord(engine, by, engine.types.get("shop_order_line"), id, {
    scope: { clause, rights: "of the parent" },
  });
}
