import type { OrderedLine } from "../../../records/answers/portal-offers.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";

// The order lines of a request and their costs. Callers check who may see them (D-767, D-793).

export type OrderedLineRow = OrderedLine & { id: number; order: number | null; fulfillment_request: number | null };

const selectLines = jsonStatement<OrderedLineRow>(
  `SELECT l.id, l.order_id AS order, l.fulfillment_request_id AS fulfillment_request, l.name, trim_scale(l.quantity)::text AS quantity, f.name AS requested_for,
  l.price::text AS price, l.price_currency, l.recurring_price::text AS recurring_price, l.recurring_price_currency, l.recurring_period
FROM shop_order_lines l LEFT JOIN people f ON f.id = l.requested_for_id
WHERE l.account_id = $2 AND (l.order_id = ANY($1::integer[]) OR l.fulfillment_request_id = ANY($1::integer[])) ORDER BY l.id`,
);

/** The lines of orders, and of requests that deliver one line. */
export const loadLineRows = async (
  engine: Engine,
  account: string,
  requests: readonly number[],
): Promise<readonly OrderedLineRow[]> =>
  requests.length === 0 ? [] : queryRows(engine.database, selectLines, [requests, account]);

export const pickLines = (rows: readonly OrderedLineRow[], request: number): OrderedLine[] =>
  rows
    .filter((row) => row.order === request || row.fulfillment_request === request)
    .map(({ id: _id, order: _order, fulfillment_request: _request, ...line }) => line);

/** How the note of an order names a line. */
export const describeLine = ({ name, quantity }: Pick<OrderedLine, "name" | "quantity">): string =>
  `${quantity} × ${name}`;

/** The note of an order lists its lines above the reason. Where the lines are shown, only the reason is left. */
export function extractReason(note: string | null, lines: readonly OrderedLine[]): string | null {
  const list = lines.map(describeLine).join("\n");
  if (note === null || list === "" || !note.startsWith(list)) return note;
  const reason = note.slice(list.length).trim();
  return reason === "" ? null : reason;
}
