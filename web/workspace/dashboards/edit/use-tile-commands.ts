import { useState } from "react";
import { t } from "../../../languages/index.ts";
import { useMovedFocus } from "../../../parts/drag/use-moved-focus.ts";
import type { Team } from "../page-choice.tsx";
import { nameTile } from "../placed-tile.tsx";
import { frameId, type TileCommands } from "./edit-frame.tsx";
import {
  addTile,
  getWidth,
  listBeside,
  moveTile,
  placeTile,
  removeTile,
  resizeTile,
  type TileChoice,
  type Tiles,
} from "./tile-choice.ts";

type Options = {
  tiles: Tiles;
  teams: readonly Team[];
  change(make: (tiles: Tiles) => Tiles): void;
  onConfigure(id: string): void;
};

/** Commands on the tiles being edited. Each announces its result to screen readers. */
export function useTileCommands({ tiles, teams, change, onConfigure }: Options) {
  const [selected, setSelected] = useState<string | null>(null);
  const [spoken, announce] = useState("");
  const focus = useMovedFocus(frameId);
  const focusTile = (id: string) => {
    setSelected(id);
    focus(id);
  };
  const changeAndSay = (id: string, make: (list: Tiles) => Tiles) => {
    change((list) => {
      const changed = make(list);
      const now = changed.find((each) => each.id === id);
      if (now !== undefined && changed !== list) {
        const beside = listBeside(changed, now);
        const place = beside.indexOf(now) + 1;
        queueMicrotask(() =>
          announce(t("dashboard.tileAt", { title: nameTile(now, teams), place, count: beside.length })),
        );
      }
      return changed;
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
    configure: onConfigure,
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
  const add = (name: TileChoice["tile"]) => {
    const { id } = addTile(tiles, name);
    change((list) => addTile(list, name).list);
    // The dialog first returns the focus to its opener; the new tile is focused after that.
    setTimeout(() => document.getElementById(frameId(id))?.focus());
  };
  const widen = (id: string, step: -1 | 1) =>
    change((list) => resizeTile(list, id, getWidth(list.find((each) => each.id === id) ?? {}) + step));
  return { commands, walk, add, widen, spoken, found: tiles.find(({ id }) => id === selected) };
}
export type TileCommandsInUse = ReturnType<typeof useTileCommands>;
