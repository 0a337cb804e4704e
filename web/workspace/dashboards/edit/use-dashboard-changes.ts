import { useState } from "react";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { navigateTo } from "../../../base/history.ts";
import { paths } from "../../../base/paths.ts";
import { showError, showUndo } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { buildValue, type Dashboards, pickOwner, type ShownDashboard } from "./kept-dashboards.ts";
import type { Tiles } from "./tile-choice.ts";

/** Saves changes of a dashboard. Each can be undone, except for creating a copy, which is a separate page. */
export function useDashboardChanges(shown: ShownDashboard, dashboards: Dashboards) {
  const { account } = useCurrentAccount();
  const [isSaving, setSaving] = useState(false);
  /** Restores the version stored before a change. */
  const restore = (owner: string, before: ShownDashboard["kept"]) => () =>
    before !== null && before.owner === owner
      ? dashboards.save(before.key, before.value, owner)
      : dashboards.remove(shown.key, owner);
  const save = async (tiles: Tiles, onSaved: () => void) => {
    const [owner, before] = [pickOwner(shown), shown.kept];
    setSaving(true);
    try {
      await dashboards.save(shown.key, buildValue(shown, tiles), owner);
      onSaved();
      showUndo(t(owner === "me" ? "dashboard.savedForMe" : "dashboard.saved"), restore(owner, before));
    } catch (error) {
      showError(error);
    } finally {
      setSaving(false);
    }
  };
  /** Reverts to the standard, or deletes a dashboard that isn't a standard one. */
  const revert = async () => {
    const { kept } = shown;
    if (kept === null) return;
    try {
      await dashboards.remove(shown.key, kept.owner);
      if (!shown.isStandard) navigateTo(paths.dashboard(account.id));
      showUndo(t(shown.isStandard ? "dashboard.isStandard" : "dashboard.deleted"), () =>
        dashboards.save(shown.key, kept.value, kept.owner),
      );
    } catch (error) {
      showError(error);
    }
  };
  const share = async (owner: string, onShared: () => void) => {
    const before = shown.kept;
    if (before !== null && before.owner === owner) return onShared();
    await dashboards.save(shown.key, buildValue(shown, shown.tiles), owner);
    // A person's private version would hide the one that they share.
    if (before !== null && before.may_change !== false) await dashboards.remove(shown.key, before.owner);
    onShared();
    showUndo(t("dashboard.shared"), async () => {
      if (before !== null) await dashboards.save(shown.key, before.value, before.owner);
      await dashboards.remove(shown.key, owner);
    });
  };
  const copy = async (title: string, owner: string, onCopied: () => void) => {
    const key = `own-${crypto.randomUUID().slice(0, 13)}`;
    await dashboards.save(key, { title, tiles: shown.tiles }, owner);
    onCopied();
    navigateTo(paths.dashboard(account.id, key));
  };
  return { isSaving, save, revert, share, copy };
}
export type DashboardChanges = ReturnType<typeof useDashboardChanges>;
