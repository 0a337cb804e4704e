import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconLayoutDashboard from "@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import type { Action } from "../../../actions/action.ts";
import { t } from "../../../languages/index.ts";
import type { OpenDialog } from "./edit-layers.tsx";
import type { ShownDashboard } from "./kept-dashboards.ts";
import type { TileCommandsInUse } from "./use-tile-commands.ts";

type Open = (dialog: OpenDialog) => void;

/** The actions of a dashboard in read mode; the most important one first. */
export function buildReadActions(
  shown: ShownDashboard,
  isEditing: boolean,
  { edit, revert, open }: { edit(): void; revert(): Promise<void>; open: Open },
): Action[] {
  const when = !isEditing;
  return [
    {
      id: "dashboard.edit",
      name: t("dashboard.edit"),
      group: "list",
      keys: "e",
      icon: IconLayoutDashboard,
      words: "change charts tiles add move resize",
      when,
      run: edit,
    },
    { id: "dashboard.copy", name: t("dashboard.copy"), group: "list", when, run: () => open({ what: "copy" }) },
    { id: "dashboard.share", name: t("dashboard.share"), group: "list", when, run: () => open({ what: "share" }) },
    {
      id: "dashboard.takeBack",
      name: t(shown.isStandard ? "dashboard.backToStandard" : "dashboard.delete"),
      group: "list",
      when: when && shown.kept !== null && shown.kept.may_change !== false,
      run: revert,
    },
  ];
}

type BarOptions = {
  isEditing: boolean;
  mayAdd: boolean;
  mayUndo: boolean;
  open: Open;
  undo(): void;
  finish(): Promise<void>;
};

/** The buttons of the bar in edit mode. */
export function buildBarActions({ isEditing, mayAdd, mayUndo, open, undo, finish }: BarOptions) {
  const add: Action = {
    id: "dashboard.add",
    name: t("dashboard.add"),
    group: "list",
    keys: "n",
    icon: IconPlus,
    when: isEditing && mayAdd,
    run: () => open({ what: "add" }),
  };
  const takeBackStep: Action = {
    id: "dashboard.undo",
    name: t("toast.undo"),
    group: "list",
    keys: "z",
    icon: IconArrowBackUp,
    when: mayUndo,
    run: undo,
  };
  const done: Action = {
    id: "dashboard.done",
    name: t("dashboard.done"),
    group: "list",
    keys: "mod+enter",
    icon: IconCheck,
    when: isEditing,
    run: finish,
  };
  return { add, undo: takeBackStep, done };
}

/** The keys that act on the selected tile, and those that select another one. */
export function buildTileActions(isEditing: boolean, { commands, walk, widen, found }: TileCommandsInUse): Action[] {
  const withTile = (id: string, name: string, keys: string, run: (tile: string) => void): Action => ({
    id: `dashboard.tile.${id}`,
    name,
    group: "selection",
    keys,
    when: isEditing && found !== undefined,
    run: () => found !== undefined && run(found.id),
  });
  const toTile = (id: string, name: string, keys: string, step: -1 | 1): Action => ({
    id: `dashboard.${id}`,
    name,
    group: "list",
    keys,
    keysOnly: true,
    when: isEditing,
    run: () => walk(step),
  });
  return [
    toTile("next", t("dashboard.nextTile"), "arrowright", 1),
    toTile("previous", t("dashboard.previousTile"), "arrowleft", -1),
    withTile("before", t("dashboard.moveBefore"), "shift+arrowleft", (id) => commands.move(id, -1)),
    withTile("after", t("dashboard.moveAfter"), "shift+arrowright", (id) => commands.move(id, 1)),
    withTile("wider", t("dashboard.wider"), "+", (id) => widen(id, 1)),
    withTile("narrower", t("dashboard.narrower"), "-", (id) => widen(id, -1)),
    withTile("configure", t("dashboard.configure"), "enter", commands.configure),
    withTile("remove", t("dashboard.removeTile"), "delete", commands.remove),
  ];
}
