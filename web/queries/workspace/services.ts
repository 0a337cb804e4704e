import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { summary } from "../../../records/answers/search.ts";
import { type Api, ApiError, type Query } from "../../api/index.ts";

/** A hypothetical request for a simulation. Moments are in the format of a browser input. */
export type Case = {
  person: number | null;
  instance: number | null;
  category: string;
  impact: string;
  at: string;
  events: { at: string; status: string }[];
};

export type Hours = { weekday: string; time_from: string; time_until: string };

const retryUnlessForbidden = (count: number, error: unknown): boolean =>
  count < 2 && !(error instanceof ApiError && error.status === 403);

export const serviceQueries = {
  /** Prefix of all simulations: they depend on the targets of an offering, and are reloaded when those are saved. */
  simulations: (api: Api) => [api.account, "simulation"] as const,
  simulation: (api: Api, wanted: Case) => {
    const { person, instance, category, impact, at, events } = wanted;
    return queryOptions({
      queryKey: [...serviceQueries.simulations(api), wanted],
      queryFn: () =>
        api.call(
          "POST /sla_simulations",
          {},
          {
            ...{ requested_for_id: person, service_instance_id: instance, category, at },
            ...(category === "incident" ? { impact } : {}),
            events: events.map(({ at: moment, status }) => ({ at: moment, status })),
          },
        ),
      enabled: person !== null && instance !== null && at !== "" && events.every((event) => event.at !== ""),
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    });
  },
  /** Forbidden for people who may not write agreements. */
  audience: (api: Api, sla: number) =>
    queryOptions({
      queryKey: [api.account, "sla audience", sla],
      queryFn: () => api.call("GET /slas/:id/audience", { id: sla }),
      retry: retryUnlessForbidden,
      staleTime: 60_000,
    }),
  /**
   * People who use a service without an agreement that covers them; forbidden for people who may not write agreements.
   */
  uncovered: (api: Api, service: number | null) =>
    queryOptions({
      queryKey: [api.account, "uncovered", service],
      queryFn: () => api.call("GET /services/:id/uncovered_people", { id: service ?? "" }),
      enabled: service !== null,
      retry: retryUnlessForbidden,
      staleTime: 60_000,
    }),
  /** The agreements that cover a person. */
  coverages: (api: Api, person: number | null) =>
    queryOptions({
      queryKey: [api.account, "coverages", person],
      queryFn: () =>
        api.list("sla", {
          at: `/people/${person}/sla_coverages`,
          fields: ["name", "status", "coverage", "start_date", "service_offering"],
          per_page: "100",
        }),
      enabled: person !== null,
    }),
  /** The opening hours of a calendar; none: always open. */
  hours: (api: Api, calendar: number | null) =>
    queryOptions({
      queryKey: [api.account, "calendar hours", calendar],
      queryFn: async () => (await api.get<{ calendar_hours?: Hours[] }>(`/calendars/${calendar}`)).calendar_hours ?? [],
      enabled: calendar !== null,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Counts of requests by a common value, with the share that met its targets. */
  targetsMet: (api: Api, query: Query) =>
    queryOptions({
      queryKey: [api.account, "targets met", query],
      queryFn: () => api.get<AnswerOf<typeof summary>>("/requests/summary", query),
      retry: false,
      staleTime: 60_000,
    }),
};
