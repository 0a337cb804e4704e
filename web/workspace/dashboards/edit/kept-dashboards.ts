import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { type KeptItem, keptApi } from "../../../api/index.ts";
import { t } from "../../../languages/index.ts";
import { keptQueries, useKept } from "../../../queries/kept/kept-items.ts";
import { dashboards } from "../dashboards.ts";
import type { Dashboard } from "../tile.ts";
import { chooseStandard, parseTiles, type Tiles } from "./tile-choice.ts";

// Customized and new dashboards, stored on the server for a person, a team or the account. A customized standard
// dashboard has the key of the standard one; a person's version takes precedence over a team's, and that over the
// account's (D-560).

type Value = { title?: string; tiles: Tiles };
export type KeptDashboard = KeptItem<Value>;

export type ShownDashboard = {
  key: string;
  title: string;
  lead: string | null;
  tiles: Tiles;
  /** available in every account */
  isStandard: boolean;
  /** null: unchanged */
  kept: KeptDashboard | null;
};

const rank = ({ owner }: KeptDashboard): number => (owner === "me" ? 0 : owner === "account" ? 2 : 1);

const standards: Readonly<Record<string, Dashboard>> = dashboards;

function describe(key: string, kept: KeptDashboard | null): ShownDashboard | null {
  const standard = Object.hasOwn(standards, key) ? standards[key] : undefined;
  if (standard === undefined && kept === null) return null;
  return {
    key,
    title: kept?.value.title ?? (standard === undefined ? key : t(standard.title)),
    lead: standard === undefined ? null : t(standard.lead),
    tiles: kept === null ? chooseStandard(standard?.tiles ?? []) : parseTiles(kept.value.tiles),
    isStandard: standard !== undefined,
    kept,
  };
}

export function useDashboards() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, isPending } = useKept<Value>("dashboard");
  const found = [...(data ?? [])].sort((one, other) => rank(one) - rank(other));
  const find = (key: string): ShownDashboard | null => describe(key, found.find((each) => each.key === key) ?? null);
  const keys = [...new Set([...Object.keys(standards), ...found.map(({ key }) => key)])];
  const api = keptApi(account.id);
  const refresh = () => queries.invalidateQueries({ queryKey: keptQueries.key(account.id, "dashboard") });
  return {
    isPending,
    all: keys.flatMap((key) => find(key) ?? []),
    find,
    async save(key: string, value: Value, owner: string): Promise<void> {
      await api.put<Value>("dashboard", key, value, owner);
      await refresh();
    },
    async remove(key: string, owner: string): Promise<void> {
      await api.remove("dashboard", key, owner);
      await refresh();
    },
  };
}
export type Dashboards = ReturnType<typeof useDashboards>;

/** The owner of a dashboard that isn't private. */
export const describeSharing = ({ kept }: ShownDashboard): string | null =>
  kept === null || kept.owner === "me"
    ? null
    : t("dashboard.sharedWith", { name: kept.team?.name ?? t("dashboard.everybody") });

/** The stored value of a dashboard with other tiles. A standard one keeps its translated name. */
export const buildValue = ({ kept, isStandard, title }: ShownDashboard, tiles: Tiles): Value => {
  const own = kept?.value.title ?? (isStandard ? undefined : title);
  return { ...(own === undefined ? {} : { title: own }), tiles };
};

/** The owner of a change: the same one if the reader may change it, else the reader alone. */
export const pickOwner = ({ kept }: ShownDashboard): string =>
  kept !== null && kept.may_change !== false ? kept.owner : "me";
