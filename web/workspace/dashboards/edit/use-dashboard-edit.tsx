import { Button } from "@mantine/core";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconLayoutDashboard from "@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { type ReactNode, useRef, useState } from "react";
import type { Action } from "../../../actions/action.ts";
import { ActionButton } from "../../../actions/action-button.tsx";
import { useActions } from "../../../actions/registry.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { navigateTo } from "../../../history.ts";
import { t } from "../../../languages/index.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { useMovedFocus } from "../../../parts/drag/use-moved-focus.ts";
import { LeaveGuard } from "../../../parts/forms/leave-guard.tsx";
import { showError, showUndo } from "../../../parts/toast.tsx";
import { paths } from "../../../paths.ts";
import { useFrameSize } from "../../shell/use-frame-size.ts";
import type { Team } from "../page-choice.tsx";
import { nameTile } from "../placed-tile.tsx";
import { frameId, type TileCommands } from "./edit-frame.tsx";
import { buildValue, type Dashboards, pickOwner, type ShownDashboard } from "./kept-dashboards.ts";
import {
  addTile,
  changeTile,
  listBeside,
  mostTiles,
  moveTile,
  placeTile,
  removeTile,
  resizeTile,
  type Tiles,
  widthOf,
} from "./tile-choice.ts";
import { useTileEdit } from "./use-tile-edit.ts";

const AddDialog = lazyDialog(async () => (await import("./add-dialog.tsx")).default);
const ConfigureDialog = lazyDialog(async () => (await import("./configure-dialog.tsx")).default);
const ShareDialog = lazyDialog(async () => (await import("./share-dialog.tsx")).default);

type Opened = { what: "add" } | { what: "configure"; id: string } | { what: "share" } | { what: "copy" } | null;

type DashboardEdit = {
  tiles: Tiles;
  /** null: the page is read */
  commands: TileCommands | null;
  /** the buttons of the bar while it is changed */
  bar: ReactNode;
  /** what can be done with it while it is read; the first is the most wanted */
  actions: readonly Action[];
  /** dialogs, and what is said to those who do not see it */
  layers: ReactNode;
};

/** Changing a dashboard: by pointer, by key and by button alike. Nothing is kept before "Done". */
export function useDashboardEdit(shown: ShownDashboard, dashboards: Dashboards, teams: readonly Team[]): DashboardEdit {
  const { account } = useCurrentAccount();
  const { phone } = useFrameSize();
  const { edit, begin, resume, end, change, undo } = useTileEdit();
  const [selected, setSelected] = useState<string | null>(null);
  const [opened, setOpened] = useState<Opened>(null);
  const [spoken, announce] = useState("");
  const [isSaving, setSaving] = useState(false);
  const focus = useMovedFocus(frameId);
  const dirty = useRef(false);
  dirty.current = edit !== null && edit.past.length > 0;
  const tiles = edit?.tiles ?? shown.tiles;
  const found = tiles.find(({ id }) => id === selected);

  const focusTile = (id: string) => {
    setSelected(id);
    focus(id);
  };
  const changeAndSay = (id: string, make: (list: Tiles) => Tiles) => {
    change((list) => {
      const made = make(list);
      const now = made.find((each) => each.id === id);
      if (now !== undefined && made !== list) {
        const beside = listBeside(made, now);
        const place = beside.indexOf(now) + 1;
        queueMicrotask(() =>
          announce(t("dashboard.tileAt", { title: nameTile(now, teams), place, count: beside.length })),
        );
      }
      return made;
    });
    focusTile(id);
  };
  const commands: TileCommands = {
    select: setSelected,
    move: (id, step) => changeAndSay(id, (list) => moveTile(list, id, step)),
    place: (id, other, after) => changeAndSay(id, (list) => placeTile(list, id, other, after)),
    resize(id, width) {
      change((list) => resizeTile(list, id, width));
      announce(t("dashboard.widthIs", { width: Math.min(24, Math.max(6, width)) }));
    },
    configure: (id) => setOpened({ what: "configure", id }),
    remove(id) {
      const removed = tiles.find((each) => each.id === id);
      const at = tiles.findIndex((each) => each.id === id);
      change((list) => removeTile(list, id));
      if (removed !== undefined) announce(t("dashboard.removed", { title: nameTile(removed, teams) }));
      const next = tiles[at + 1] ?? tiles[at - 1];
      if (next !== undefined) focusTile(next.id);
    },
  };
  const walk = (step: -1 | 1) => {
    const at = tiles.findIndex(({ id }) => id === selected);
    const next = at < 0 ? tiles[0] : tiles[at + step];
    if (next !== undefined) focusTile(next.id);
  };
  const add = (name: Parameters<typeof addTile>[1]) => {
    const { id } = addTile(tiles, name);
    setOpened(null);
    change((list) => addTile(list, name).list);
    // The dialog gives the focus back to where it was; the new tile comes after that.
    setTimeout(() => document.getElementById(frameId(id))?.focus());
  };
  /** Puts back what was kept before a change. */
  const restore = (owner: string, before: ShownDashboard["kept"]) => () =>
    before !== null && before.owner === owner
      ? dashboards.save(before.key, before.value, owner)
      : dashboards.remove(shown.key, owner);
  const finish = async () => {
    if (edit === null) return;
    if (edit.past.length === 0) {
      end();
      return;
    }
    const [owner, before] = [pickOwner(shown), shown.kept];
    setSaving(true);
    try {
      await dashboards.save(shown.key, buildValue(shown, edit.tiles), owner);
      end();
      showUndo(t(owner === "me" ? "dashboard.savedForMe" : "dashboard.saved"), restore(owner, before));
    } catch (error) {
      showError(error);
    } finally {
      setSaving(false);
    }
  };
  const cancel = () => {
    if (edit !== null && edit.past.length > 0) showUndo(t("dashboard.dropped"), () => resume(edit));
    end();
  };
  const takeBack = async () => {
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
  const share = async (owner: string) => {
    const before = shown.kept;
    if (before !== null && before.owner === owner) return setOpened(null);
    await dashboards.save(shown.key, buildValue(shown, shown.tiles), owner);
    // What somebody has chosen for themselves would hide what they share.
    if (before !== null && before.may_change !== false) await dashboards.remove(shown.key, before.owner);
    setOpened(null);
    showUndo(t("dashboard.shared"), async () => {
      if (before !== null) await dashboards.save(shown.key, before.value, before.owner);
      await dashboards.remove(shown.key, owner);
    });
  };
  const copy = async (title: string, owner: string) => {
    const key = `own-${crypto.randomUUID().slice(0, 13)}`;
    await dashboards.save(key, { title, tiles: shown.tiles }, owner);
    setOpened(null);
    navigateTo(paths.dashboard(account.id, key));
  };

  const isEditing = edit !== null;
  const mayTakeBack = shown.kept !== null && shown.kept.may_change !== false;
  const editAction: Action = {
    id: "dashboard.edit",
    name: t("dashboard.edit"),
    group: "list",
    keys: "e",
    icon: IconLayoutDashboard,
    words: "change charts tiles add move resize",
    when: !isEditing,
    run: () => begin(shown.tiles),
  };
  const addAction: Action = {
    id: "dashboard.add",
    name: t("dashboard.add"),
    group: "list",
    keys: "n",
    icon: IconPlus,
    when: isEditing && tiles.length < mostTiles,
    run: () => setOpened({ what: "add" }),
  };
  const undoAction: Action = {
    id: "dashboard.undo",
    name: t("toast.undo"),
    group: "list",
    keys: "z",
    icon: IconArrowBackUp,
    when: edit !== null && edit.past.length > 0,
    run: undo,
  };
  const doneAction: Action = {
    id: "dashboard.done",
    name: t("dashboard.done"),
    group: "list",
    keys: "mod+enter",
    icon: IconCheck,
    when: isEditing,
    run: finish,
  };
  const others: Action[] = [
    {
      id: "dashboard.copy",
      name: t("dashboard.copy"),
      group: "list",
      when: !isEditing,
      run: () => setOpened({ what: "copy" }),
    },
    {
      id: "dashboard.share",
      name: t("dashboard.share"),
      group: "list",
      when: !isEditing,
      run: () => setOpened({ what: "share" }),
    },
    {
      id: "dashboard.takeBack",
      name: t(shown.isStandard ? "dashboard.backToStandard" : "dashboard.delete"),
      group: "list",
      when: !isEditing && mayTakeBack,
      run: takeBack,
    },
  ];
  const withTile = (id: string, name: string, keys: string, run: (tile: string) => void): Action => ({
    id: `dashboard.tile.${id}`,
    name,
    group: "selection",
    keys,
    when: isEditing && found !== undefined,
    run: () => found !== undefined && run(found.id),
  });
  const widen = (step: -1 | 1) => (id: string) =>
    change((list) => resizeTile(list, id, widthOf(list.find((each) => each.id === id) ?? {}) + step));
  useActions([
    editAction,
    addAction,
    undoAction,
    doneAction,
    ...others,
    { id: "dashboard.cancel", name: t("form.cancel"), group: "list", keys: "escape", when: isEditing, run: cancel },
    {
      id: "dashboard.next",
      name: t("dashboard.nextTile"),
      group: "list",
      keys: "arrowright",
      keysOnly: true,
      when: isEditing,
      run: () => walk(1),
    },
    {
      id: "dashboard.previous",
      name: t("dashboard.previousTile"),
      group: "list",
      keys: "arrowleft",
      keysOnly: true,
      when: isEditing,
      run: () => walk(-1),
    },
    withTile("before", t("dashboard.moveBefore"), "shift+arrowleft", (id) => commands.move(id, -1)),
    withTile("after", t("dashboard.moveAfter"), "shift+arrowright", (id) => commands.move(id, 1)),
    withTile("wider", t("dashboard.wider"), "+", widen(1)),
    withTile("narrower", t("dashboard.narrower"), "-", widen(-1)),
    withTile("configure", t("dashboard.configure"), "enter", commands.configure),
    withTile("remove", t("dashboard.removeTile"), "delete", commands.remove),
  ]);

  const bar = isEditing && (
    <>
      <ActionButton action={addAction} compact={phone} />
      <ActionButton action={undoAction} compact />
      <Button variant="default" size="sm" onClick={cancel}>
        {t("form.cancel")}
      </Button>
      <ActionButton action={doneAction} primary bare loading={isSaving} />
    </>
  );
  const configured = opened?.what === "configure" ? tiles.find(({ id }) => id === opened.id) : undefined;
  const layers = (
    <>
      <div role="status" className="spoken">
        {spoken}
      </div>
      <LeaveGuard dirty={dirty} />
      {opened?.what === "add" && <AddDialog chosen={tiles} onAdd={add} onClose={() => setOpened(null)} />}
      {configured !== undefined && (
        <ConfigureDialog
          draftKey={`dashboard/${shown.key}/tile/${configured.id}`}
          choice={configured}
          teams={teams}
          onSave={(wanted) => {
            change((list) => changeTile(list, configured.id, wanted));
            setOpened(null);
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.what === "share" && (
        <ShareDialog
          draftKey={`dashboard/${shown.key}/share`}
          heading={t("dashboard.shareTitle", { title: shown.title })}
          name={null}
          owner={shown.kept?.owner ?? "me"}
          onSave={(_, owner) => share(owner)}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.what === "copy" && (
        <ShareDialog
          draftKey={`dashboard/${shown.key}/copy`}
          heading={t("dashboard.copyTitle", { title: shown.title })}
          name={t("dashboard.copyOf", { title: shown.title })}
          owner="me"
          onSave={copy}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
  return { tiles, commands: isEditing ? commands : null, bar, actions: [editAction, ...others], layers };
}
