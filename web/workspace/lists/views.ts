import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type KeptItem, keptApi } from "../../api/index.ts";
import { type SavedView, viewQueries } from "../../queries/workspace/lists.ts";

// Saved views: a list's query with a name, for a person, a team or the account.

export type { SavedView };
export type View = KeptItem<SavedView>;

const tones = ["blue", "orange", "violet", "teal", "green", "red"] as const;
/** The color of the dot before a view: arbitrary, but always the same. */
export const pickTone = (key: string): (typeof tones)[number] =>
  tones[[...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % tones.length] ?? "blue";

/** Addresses contain the names of views, and a team and a person may use the same name. */
const slug = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "view";

export function useViews(type: RecordType) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const stored = viewQueries.all(api);
  const { data = [] } = useQuery(stored);
  const kept = keptApi(api.account);
  const refresh = () => queries.invalidateQueries({ queryKey: stored.queryKey });
  return {
    views: data
      .filter(({ value }) => value.collection === type.collection)
      .sort((one, other) => one.value.name.localeCompare(other.value.name)),
    async save(value: SavedView, owner: string, existing?: string): Promise<View> {
      const wanted =
        existing ?? `${type.collection}.${slug(value.name)}${owner === "me" ? "" : `.${owner.replace(":", "-")}`}`;
      const saved = await kept.put<SavedView>("view", wanted, value, owner);
      await refresh();
      return saved;
    },
    async remove(view: View): Promise<void> {
      await kept.remove("view", view.key, view.owner);
      await refresh();
    },
  };
}
