import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api, Row } from "../../api/index.ts";
import { getReferenceName, type Reference } from "../reference.ts";

// Data of the dialog for a new request. It is open for about a minute, so no record change reloads it.

/** A person with organization and site. A person found by name has both. */
export type Caller = Reference & { organization?: Reference | null; site?: Reference | null };

export const describePlaces = (person: Caller | null | undefined): string =>
  [person?.organization, person?.site].flatMap((place) => (place == null ? [] : [getReferenceName(place)])).join(" · ");

export const isTelephone = (text: string): boolean => /^\+?[\d\s().-]{6,}$/.test(text.trim());

async function findCallers(api: Api, words: string): Promise<readonly Caller[]> {
  if (isTelephone(words)) return api.get<Caller[]>("/sd", { telephone: words });
  const { rows } = await api.list("person", {
    fields: ["name", "primary_email", "organization", "site"],
    per_page: "20",
    disabled: "false",
    ...(words === "" ? {} : { q: words }),
  });
  return rows;
}

export const newRequestQueries = {
  suggestions: (api: Api, text: string, person: number | null) =>
    queryOptions({
      queryKey: [api.account, "suggestions", text, person],
      queryFn: () => api.call("GET /suggestions", { text, for: person ?? undefined }),
      enabled: text.length > 2 || person !== null,
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
  /** The record that the form would create; nothing is stored. `body`: as JSON. */
  dryRun: (api: Api, body: string) =>
    queryOptions({
      queryKey: [api.account, "dry run", body],
      queryFn: () => api.ask<Row>("/requests?dry_run=true", JSON.parse(body)),
      placeholderData: keepPreviousData,
      retry: false,
    }),
  /** The form of a template: the fields of its UI extension that requesters see. */
  templateForm: (api: Api, template: Reference | null) =>
    queryOptions({
      queryKey: [api.account, "template form", String(template?.id ?? "")],
      queryFn: () => api.call("GET /portal/forms/:id", { id: String(template?.id) }),
      enabled: template !== null,
      staleTime: 300_000,
      retry: false,
    }),
  /** A person with organization and site. */
  places: (api: Api, person: Reference | null) =>
    queryOptions({
      queryKey: [api.account, "places of", String(person?.id ?? "")],
      queryFn: () => api.get<Row & Caller>(`/people/${person?.id}`, { fields: "name,organization,site" }),
      staleTime: 300_000,
      retry: false,
    }),
  /** People by name, or by the telephone number they call from. */
  callers: (api: Api, words: string) =>
    queryOptions({
      queryKey: [api.account, "callers", words],
      queryFn: () => findCallers(api, words),
      staleTime: 60_000,
      retry: false,
    }),
};
