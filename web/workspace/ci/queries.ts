import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import type { CiGraph, Named } from "./graph-types.ts";

export type CiOutlook = {
  items: number;
  services: readonly Named[];
  service_instances: readonly Named[];
  slas: readonly Named[];
  people: { count: number; examples: readonly Named[] };
};

export function useCiGraph(id: number, depth: number) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "ci graph", id, depth],
    queryFn: () => api.get<CiGraph>(`/cis/${id}/graph?depth=${depth}`),
  });
}

/** Null for those who may not ask. */
export function useCiOutlook(id: number) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "ci outlook", id],
    queryFn: () => api.get<CiOutlook>(`/cis/${id}/outlook`),
    retry: false,
  });
}

/** The next dates of a maintenance rule. */
export function useOccurrences(recurrence: unknown) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "occurrences", recurrence],
    queryFn: async () =>
      (await api.ask<{ occurrences: string[] }>("/recurrence_occurrences", { recurrence, count: 6 })).occurrences,
    enabled: typeof recurrence === "object" && recurrence !== null,
  });
}

type Category = { id: number; localized_name: string };

/** The category of a product, by its reference. Undefined while it is loaded, and for those who may not read it. */
export function useProductCategory(reference: string | undefined): Category | undefined {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "product category", reference],
    queryFn: () =>
      api.get<readonly Category[]>("/product_categories", { reference: String(reference), fields: "localized_name" }),
    enabled: reference !== undefined,
    retry: false,
    staleTime: 300_000,
  });
  return data?.[0];
}
