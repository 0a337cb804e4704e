import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { portalShopQueries } from "../../queries/portal/offers.ts";

export type { OrderLine } from "../../queries/portal/offers.ts";

/** The cart and earlier orders, the newest first. */
export function useOrderLines() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const lines = portalShopQueries.lines(api);
  const { data } = useQuery(lines);
  return { lines: data ?? [], refresh: () => queries.invalidateQueries({ queryKey: lines.queryKey }) };
}
