import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { type KeptItem, keptApi, type Row } from "../../../api/index.ts";
import type { KeptOwner } from "../../../api/kept.ts";
import { keptQueries, useKept } from "../../../queries/kept/kept-items.ts";
import { getReferencedName, readText } from "../page-parts.ts";

// Snippets: named texts of a person, a team or the account.

type SnippetValue = { name: string; text: string };
export type Snippet = KeptItem<SnippetValue>;

export function useSnippets() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const api = keptApi(account.id);
  const { data, isPending } = useKept<SnippetValue>("snippet");
  const refresh = () => queries.invalidateQueries({ queryKey: keptQueries.key(account.id, "snippet") });
  return {
    isPending,
    snippets: [...(data ?? [])].sort((one, other) => one.value.name.localeCompare(other.value.name)),
    async save(value: SnippetValue, owner: KeptOwner): Promise<void> {
      await api.put("snippet", crypto.randomUUID(), value, owner);
      await refresh();
    },
    async remove(snippet: Snippet): Promise<void> {
      await api.remove("snippet", snippet.key, snippet.owner);
      await refresh();
    },
  };
}

/** The placeholders of a snippet, in braces: `{first_name}`. */
export const placeholders = ["first_name", "requester", "number", "subject", "me"] as const;

/** Replaces the placeholders by their values; unknown ones stay unchanged. */
export function fillPlaceholders(text: string, row: Row, requester: string | null, me: string): string {
  const name = requester === null ? "" : getReferencedName(row, requester);
  const values: Readonly<Record<string, string>> = {
    first_name: name.split(/\s+/)[0] ?? "",
    requester: name,
    number: String(row.id),
    subject: readText(row, "subject"),
    me,
  };
  return text.replace(/\{([a-z_]+)\}/g, (whole, key: string) => values[key] || whole);
}
