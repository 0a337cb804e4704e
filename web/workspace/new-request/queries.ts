import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { loadSuggestions, loadTemplateForm, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";

const typingPause = 250; // milliseconds

/** Suggestions for what is typed, a quarter of a second after typing stops. */
export function useSuggestions(text: string, person: Reference | null) {
  const { account } = useCurrentAccount();
  const [settled] = useDebouncedValue(text.trim(), typingPause);
  const about = person === null ? null : Number(person.id);
  return useQuery({
    queryKey: [account.id, "suggestions", settled, about],
    queryFn: () => loadSuggestions(account.id, settled, about),
    enabled: settled.length > 2 || about !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** The record that the form would create; nothing is kept. */
export function useDryRun(body: Record<string, unknown>, enabled: boolean) {
  const { account, api } = useCurrentAccount();
  const [settled] = useDebouncedValue(JSON.stringify(body), typingPause);
  return useQuery({
    queryKey: [account.id, "dry run", settled],
    queryFn: () => api.ask<Row>("/requests?dry_run=true", JSON.parse(settled)),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The form of a template: the fields of its UI extension, as requesters see them. */
export function useTemplateForm(template: Reference | null) {
  const { account } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "template form", String(template?.id ?? "")],
    queryFn: () => loadTemplateForm(account.id, String(template?.id)),
    enabled: template !== null,
    staleTime: 300_000,
    retry: false,
  });
}

/** Where a person belongs: organization and site. Whoever was found by name brings both along. */
export type Caller = Reference & { organization?: Reference | null; site?: Reference | null };

export function usePlaces(person: Caller | null): string {
  const { account, api } = useCurrentAccount();
  const isKnown = person === null || "organization" in person;
  const { data } = useQuery({
    queryKey: [account.id, "places of", String(person?.id ?? "")],
    queryFn: () => api.get<Row & Caller>(`/people/${person?.id}`, { fields: "name,organization,site" }),
    enabled: !isKnown,
    staleTime: 300_000,
    retry: false,
  });
  return describePlaces(isKnown ? person : data);
}

export const describePlaces = (person: Caller | null | undefined): string =>
  [person?.organization, person?.site].flatMap((place) => (place == null ? [] : [getReferenceName(place)])).join(" · ");

export const isTelephone = (text: string): boolean => /^\+?[\d\s().-]{6,}$/.test(text.trim());

/** People by words of their name, or by the telephone number they call from. */
export function useCallers(text: string, enabled: boolean) {
  const { account, api } = useCurrentAccount();
  const [settled] = useDebouncedValue(text.trim(), 150);
  const found = useQuery({
    queryKey: [account.id, "callers", settled],
    queryFn: async (): Promise<readonly (Row & Reference)[]> => {
      if (isTelephone(settled)) return api.get<(Row & Reference)[]>("/sd", { telephone: settled });
      const query = { fields: "name,primary_email,organization,site", per_page: "20", disabled: "false" };
      const { rows } = await api.list("/people", { ...query, ...(settled === "" ? {} : { q: settled }) });
      return rows as (Row & Reference)[];
    },
    enabled,
    staleTime: 60_000,
    retry: false,
  });
  const isAnswered = (found.data !== undefined || found.isError) && !found.isFetching;
  return { people: found.data ?? [], isComplete: settled === text.trim() && isAnswered };
}
