import { placeOrder } from "../../server/actions/portal/place-order.ts";
import type { Timeline } from "./timeline.ts";

/** A shop order and its reason; `lines`: shop articles and how many of each; `member`: who deals with it */
export type DemoOrder = { who: string; lines: Readonly<Record<string, number>>; reason: string; member: string };

/** Puts the lines into the basket and orders them. Returns the request of the order. */
export async function placeDemoOrder(
  time: Timeline,
  { who, lines, reason }: DemoOrder,
  { at, account }: { at: Date; account: string },
): Promise<number> {
  for (const [article, quantity] of Object.entries(lines)) {
    const fields = { shop_article_id: time.getId("shop_article", article), quantity };
    await time.create({ who, at, account }, "shop_order_line", fields);
  }
  const by = await time.loader.getCaller(who, account, at);
  return (await placeOrder(time.loader.engineAt(at), by, reason)).order;
}
