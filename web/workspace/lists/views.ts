import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { type KeptItem, keptApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import type { Widths } from "./grid/widths.ts";

// Saved views: the query of a list with a name, for a person, a team or the account.

export type SavedView = {
  name: string;
  collection: string;
  query: string;
  widths?: Widths;
  /** of a team: opened first where the address asks for nothing */
  isDefault?: boolean;
};
export type View = KeptItem<SavedView>;

const tones = ["blue", "orange", "violet", "teal", "green", "red"] as const;
/** The colour of the dot before a view: any, but always the same. */
export const toneOf = (key: string): (typeof tones)[number] =>
  tones[[...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % tones.length] ?? "blue";

/** Views are named in addresses, and a team and a person may use the same name. */
const slug = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "view";

export function useViews(type: RecordType) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const api = keptApi(account.id);
  const key = [account.id, "kept", "view"];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => api.list<SavedView>("view"), staleTime: 30_000 });
  const refresh = () => queries.invalidateQueries({ queryKey: key });
  return {
    views: data
      .filter(({ value }) => value.collection === type.collection)
      .sort((one, other) => one.value.name.localeCompare(other.value.name)),
    async save(value: SavedView, owner: string, existing?: string): Promise<View> {
      const wanted =
        existing ?? `${type.collection}.${slug(value.name)}${owner === "me" ? "" : `.${owner.replace(":", "-")}`}`;
      const saved = await api.put<SavedView>("view", wanted, value, owner);
      await refresh();
      return saved;
    },
    async remove(view: View): Promise<void> {
      await api.remove("view", view.key, view.owner);
      await refresh();
    },
  };
}
