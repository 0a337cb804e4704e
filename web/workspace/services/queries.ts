import { useQuery } from "@tanstack/react-query";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import type { ExplainedTargets } from "../request/queries.ts";

/** A request that might be made, and what happens to it. Moments are as an input of the browser has them. */
export type Case = {
  person: number | null;
  instance: number | null;
  category: string;
  impact: string;
  at: string;
  events: { at: string; status: string }[];
};

export function useSimulation(wanted: Case) {
  const { account, api } = useCurrentAccount();
  const { person, instance, category, impact, at, events } = wanted;
  return useQuery({
    queryKey: [account.id, "simulation", wanted],
    queryFn: () =>
      api.ask<ExplainedTargets[]>("/sla_simulations", {
        ...{ requested_for_id: person, service_instance_id: instance, category, at },
        ...(category === "incident" ? { impact } : {}),
        events: events.map(({ at: moment, status }) => ({ at: moment, status })),
      }),
    enabled: person !== null && instance !== null && at !== "" && events.every((event) => event.at !== ""),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export type Audience = { count: number; online: number; sample: { id: number; name: string }[] };

/** Undefined for those who may not write agreements. */
export function useAudience(sla: number) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "sla audience", sla],
    queryFn: () => api.get<Audience>(`/slas/${sla}/audience`),
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 403),
    staleTime: 60_000,
  });
}

/** People who use a service without an agreement that covers them; undefined for those who may not write agreements. */
export function useUncovered(service: number | null) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "uncovered", service],
    queryFn: () => api.get<Audience>(`/services/${service}/uncovered_people`),
    enabled: service !== null,
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 403),
    staleTime: 60_000,
  });
}

/** The agreements that cover a person. */
export function useCoverages(person: number | null) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "coverages", person],
    queryFn: () =>
      api.list(`/people/${person}/sla_coverages`, {
        per_page: "100",
        fields: "name,status,coverage,start_date,service_offering",
      }),
    enabled: person !== null,
  });
}

export type Hours = { weekday: string; time_from: string; time_until: string };

/** The opening hours of a calendar; none: it is always open. */
export function useHours(calendar: number | null) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "calendar hours", calendar],
    queryFn: async () => ((await api.get<Row>(`/calendars/${calendar}`)).calendar_hours ?? []) as Hours[],
    enabled: calendar !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
