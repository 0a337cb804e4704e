import { Button } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import type { Action } from "../../../actions/action.ts";
import { ActionButton } from "../../../actions/action-button.tsx";
import { useActions } from "../../../actions/registry.ts";
import { showUndo } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import { useFrameSize } from "../../shell/use-frame-size.ts";
import type { Team } from "../page-choice.tsx";
import { buildBarActions, buildReadActions, buildTileActions } from "./edit-actions.ts";
import type { TileCommands } from "./edit-frame.tsx";
import { EditLayers, type OpenDialog } from "./edit-layers.tsx";
import type { Dashboards, ShownDashboard } from "./kept-dashboards.ts";
import { mostTiles, type Tiles } from "./tile-choice.ts";
import { useDashboardChanges } from "./use-dashboard-changes.ts";
import { useTileCommands } from "./use-tile-commands.ts";
import { useTileEdit } from "./use-tile-edit.ts";

type DashboardEdit = {
  tiles: Tiles;
  /** null: read mode */
  commands: TileCommands | null;
  /** the buttons of the bar in edit mode */
  bar: ReactNode;
  /** the actions in read mode; the most important one first */
  actions: readonly Action[];
  /** dialogs, and announcements for screen readers */
  layers: ReactNode;
};

/** Editing a dashboard: by pointer, by key and by button alike. Nothing is saved before "Done". */
export function useDashboardEdit(shown: ShownDashboard, dashboards: Dashboards, teams: readonly Team[]): DashboardEdit {
  const { phone } = useFrameSize();
  const { edit, begin, resume, end, change, undo } = useTileEdit();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const changes = useDashboardChanges(shown, dashboards);
  const dirty = useRef(false);
  const isEditing = edit !== null;
  const isChanged = edit !== null && edit.past.length > 0;
  dirty.current = isChanged;
  const tiles = edit?.tiles ?? shown.tiles;
  const onConfigure = (id: string) => setOpened({ what: "configure", id });
  const tileCommands = useTileCommands({ tiles, teams, change, onConfigure });

  const finish = async () => {
    if (isChanged) await changes.save(tiles, end);
    else end();
  };
  const cancel = () => {
    if (isChanged) showUndo(t("dashboard.dropped"), () => resume(edit));
    end();
  };
  const actions = buildReadActions(shown, isEditing, {
    edit: () => begin(shown.tiles),
    revert: changes.revert,
    open: setOpened,
  });
  const barActions = buildBarActions({
    ...{ isEditing, mayAdd: tiles.length < mostTiles, mayUndo: isChanged, open: setOpened, undo, finish },
  });
  useActions([
    ...actions,
    ...[barActions.add, barActions.undo, barActions.done],
    { id: "dashboard.cancel", name: t("form.cancel"), group: "list", keys: "escape", when: isEditing, run: cancel },
    ...buildTileActions(isEditing, tileCommands),
  ]);

  const bar = isEditing && (
    <>
      <ActionButton action={barActions.add} compact={phone} />
      <ActionButton action={barActions.undo} compact />
      <Button variant="default" size="sm" onClick={cancel}>
        {t("form.cancel")}
      </Button>
      <ActionButton action={barActions.done} primary bare loading={changes.isSaving} />
    </>
  );
  const layers = (
    <EditLayers
      {...{ shown, tiles, teams, opened, dirty, changes }}
      spoken={tileCommands.spoken}
      onAdd={(tile) => {
        setOpened(null);
        tileCommands.add(tile);
      }}
      onChange={change}
      onClose={() => setOpened(null)}
    />
  );
  return { tiles, commands: isEditing ? tileCommands.commands : null, bar, actions, layers };
}
