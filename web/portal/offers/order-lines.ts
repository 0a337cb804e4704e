import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import type { PricedLine } from "../../parts/order/prices.ts";

export type OrderLine = Row & PricedLine & { name: string; status: string };

const fields = [
  ...["name", "status", "quantity", "price", "price_currency"],
  ...["recurring_price", "recurring_price_currency", "recurring_period"],
].join();

/** What is in the basket, and what was ordered, the newest first. */
export function useOrderLines() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const queryKey = [account.id, "order lines"];
  const { data } = useQuery({
    queryKey,
    queryFn: async () => {
      return (await api.list("/shop_order_lines/personal", { fields, sort: "-id", per_page: "100" }))
        .rows as OrderLine[];
    },
  });
  return { lines: data ?? [], refresh: () => queries.invalidateQueries({ queryKey }) };
}
