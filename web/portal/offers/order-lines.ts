import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";

export type OrderLine = Row & {
  name: string;
  status: string;
  quantity: string | number;
  total_price: string | number | null;
  price_currency: string | null;
};

/** What is in the basket, and what was ordered, the newest first. */
export function useOrderLines() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const queryKey = [account.id, "order lines"];
  const { data } = useQuery({
    queryKey,
    queryFn: async () => {
      const fields = "name,status,quantity,total_price,price_currency";
      return (await api.list("/shop_order_lines/personal", { fields, sort: "-id", per_page: "100" }))
        .rows as OrderLine[];
    },
  });
  return { lines: data ?? [], refresh: () => queries.invalidateQueries({ queryKey }) };
}
