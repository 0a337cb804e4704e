import { useEffect, useEffectEvent } from "react";
import type { Suggestions } from "../../../records/answers/suggestions.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useTeamMembers } from "../../queries/record-page.ts";
import { readReference } from "../../queries/reference.ts";
import type { NewRequestState } from "./form-state.ts";
import { useDryRun } from "./use-form-queries.ts";
import type { FormChange } from "./use-form-state.ts";

/** A preview of the request, and whether the reader is a member of its team. */
export function useOutcome(state: NewRequestState, body: Record<string, unknown>) {
  const { who } = useCurrentAccount();
  // Texts and form answers don't affect the preview.
  const { note: _, note_attachments: __, member_id, custom_fields: ___, ...tried } = body;
  const dryRun = useDryRun(state.assignToMe ? { ...tried, member_id } : tried, state.subject.trim() !== "");
  const outcome = dryRun.isError ? undefined : dryRun.data;
  const members = useTeamMembers(readReference(outcome?.team));
  return { outcome, isInTeam: members.data?.some(({ id }) => id === who.person.id) ?? false };
}

type SuggestionResult = { data: Suggestions | undefined; isPlaceholderData: boolean };

/** Selects the best match until the person chooses; a later match replaces it. */
export function useSuggestedService(
  { serviceIsChosen }: NewRequestState,
  set: (change: FormChange) => void,
  { data, isPlaceholderData }: SuggestionResult,
): void {
  const [best] = data?.services ?? [];
  const take = useEffectEvent((id: number) => {
    if (!serviceIsChosen && best !== undefined) set({ service_instance: { id, name: best.name } });
  });
  const id = best?.id;
  useEffect(() => {
    if (id !== undefined && !isPlaceholderData) take(id);
  }, [id, isPlaceholderData]);
}
