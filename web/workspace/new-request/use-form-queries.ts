import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Reference } from "../../queries/reference.ts";
import { type Caller, describePlaces, newRequestQueries } from "../../queries/workspace/new-request.ts";

const typingPause = 250; // milliseconds

/** Suggestions for the typed text, a quarter of a second after typing stops. */
export function useSuggestions(text: string, person: Reference | null) {
  const { api } = useCurrentAccount();
  const [settled] = useDebouncedValue(text.trim(), typingPause);
  return useQuery(newRequestQueries.suggestions(api, settled, person === null ? null : Number(person.id)));
}

/** The record that the form would create. */
export function useDryRun(body: Record<string, unknown>, enabled: boolean) {
  const { api } = useCurrentAccount();
  const [settled] = useDebouncedValue(JSON.stringify(body), typingPause);
  return useQuery({ ...newRequestQueries.dryRun(api, settled), enabled });
}

/** A person's organization and site, as text. */
export function usePlaces(person: Caller | null): string {
  const { api } = useCurrentAccount();
  const isKnown = person === null || "organization" in person;
  const { data } = useQuery({ ...newRequestQueries.places(api, person), enabled: !isKnown });
  return describePlaces(isKnown ? person : data);
}

/** People by name, or by the telephone number they call from. */
export function useCallers(text: string, enabled: boolean) {
  const { api } = useCurrentAccount();
  const [settled] = useDebouncedValue(text.trim(), 150);
  const found = useQuery({ ...newRequestQueries.callers(api, settled), enabled });
  const isAnswered = (found.data !== undefined || found.isError) && !found.isFetching;
  return { people: found.data ?? [], isComplete: settled === text.trim() && isAnswered };
}
