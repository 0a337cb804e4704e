import type { OrderedLine } from "../../../records/answers/portal-offers.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import { loadLineRows, pickLines } from "../../rules/asset/order-lines.ts";
import { findReadable } from "./list-records.ts";

/** The order lines of a request, for a caller who may read it. */
export async function loadOrderLinesOf(engine: Engine, by: Caller, request: number): Promise<readonly OrderedLine[]> {
  const account = await requireRecord(engine, by, engine.types.get("request"), request, "read");
  return loadReadableLines(engine, by, request, account);
}

/** D-793: people with whom a request is shared may read it, but not what others pay for it. */
export async function loadReadableLines(
  engine: Engine,
  by: Caller,
  request: number,
  account: string,
): Promise<readonly OrderedLine[]> {
  const rows = await loadLineRows(engine, account, [request]);
  const readable = await findReadable(
    engine,
    by,
    "shop_order_line",
    rows.map(({ id }) => id),
  );
  return pickLines(
    rows.filter(({ id }) => readable.has(id)),
    request,
  );
}
