import type { RefObject } from "react";
import { t } from "../../../languages/index.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { LeaveGuard } from "../../../parts/forms/leave-guard.tsx";
import type { Team } from "../page-choice.tsx";
import type { ShownDashboard } from "./kept-dashboards.ts";
import { changeTile, type TileChoice, type Tiles } from "./tile-choice.ts";
import type { DashboardChanges } from "./use-dashboard-changes.ts";

const AddDialog = lazyDialog(async () => (await import("./add-dialog.tsx")).default);
const ConfigureDialog = lazyDialog(async () => (await import("./configure-dialog.tsx")).default);
const ShareDialog = lazyDialog(async () => (await import("./share-dialog.tsx")).default);

export type OpenDialog = { what: "add" } | { what: "configure"; id: string } | { what: "share" } | { what: "copy" };

type Props = {
  shown: ShownDashboard;
  tiles: Tiles;
  teams: readonly Team[];
  opened: OpenDialog | null;
  /** announcement for screen readers */
  spoken: string;
  dirty: RefObject<boolean>;
  changes: DashboardChanges;
  onAdd(tile: TileChoice["tile"]): void;
  onChange(make: (tiles: Tiles) => Tiles): void;
  onClose(): void;
};

/** The dialogs of a dashboard, and the warning before unsaved changes are lost. */
export function EditLayers({ shown, tiles, teams, opened, spoken, dirty, changes, onAdd, onChange, onClose }: Props) {
  const configured = opened?.what === "configure" ? tiles.find(({ id }) => id === opened.id) : undefined;
  return (
    <>
      <div role="status" className="spoken">
        {spoken}
      </div>
      <LeaveGuard dirty={dirty} />
      {opened?.what === "add" && <AddDialog chosen={tiles} onAdd={onAdd} onClose={onClose} />}
      {configured !== undefined && (
        <ConfigureDialog
          draftKey={`dashboard/${shown.key}/tile/${configured.id}`}
          choice={configured}
          teams={teams}
          onSave={(wanted) => {
            onChange((list) => changeTile(list, configured.id, wanted));
            onClose();
          }}
          onClose={onClose}
        />
      )}
      {opened?.what === "share" && (
        <ShareDialog
          draftKey={`dashboard/${shown.key}/share`}
          heading={t("dashboard.shareTitle", { title: shown.title })}
          name={null}
          owner={shown.kept?.owner ?? "me"}
          onSave={(_, owner) => changes.share(owner, onClose)}
          onClose={onClose}
        />
      )}
      {opened?.what === "copy" && (
        <ShareDialog
          draftKey={`dashboard/${shown.key}/copy`}
          heading={t("dashboard.copyTitle", { title: shown.title })}
          name={t("dashboard.copyOf", { title: shown.title })}
          owner="me"
          onSave={(title, owner) => changes.copy(title, owner, onClose)}
          onClose={onClose}
        />
      )}
    </>
  );
}
