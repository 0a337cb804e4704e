import type { Engine } from "../../engine/engine.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";

// What was ordered with a request and what it costs: for those who ordered it, and for those who approve it (D-767).

export type OrderedLine = {
  name: string;
  quantity: string;
  requested_for: string | null;
  price: string | null;
  price_currency: string | null;
  recurring_price: string | null;
  recurring_price_currency: string | null;
  recurring_period: string | null;
};
type LineRow = OrderedLine & { order: number | null; fulfillment_request: number | null };

const selectLines = jsonStatement<LineRow>(
  `SELECT l.order_id AS order, l.fulfillment_request_id AS fulfillment_request, l.name, trim_scale(l.quantity)::text AS quantity, f.name AS requested_for,
  l.price::text AS price, l.price_currency, l.recurring_price::text AS recurring_price, l.recurring_price_currency, l.recurring_period
FROM shop_order_lines l LEFT JOIN people f ON f.id = l.requested_for_id
WHERE l.account_id = $2 AND (l.order_id = ANY($1::integer[]) OR l.fulfillment_request_id = ANY($1::integer[])) ORDER BY l.id`,
);

/** The lines of orders, and of requests that deliver one line, by request. */
export async function loadOrderedLines(
  engine: Engine,
  account: string,
  requests: readonly number[],
): Promise<(request: number | null | undefined) => readonly OrderedLine[]> {
  if (requests.length === 0) return () => [];
  const rows = await queryRows(engine.database, selectLines, [requests, account]);
  return (request) =>
    rows
      .filter((row) => request != null && (row.order === request || row.fulfillment_request === request))
      .map(({ order: _order, fulfillment_request: _request, ...line }) => line);
}
