import { useState } from "react";
import type { Tiles } from "./tile-choice.ts";

/** The tiles as they are being changed, with the way back. Null: nothing is being changed. */
export type TileEdit = { tiles: Tiles; past: readonly Tiles[] };

export function useTileEdit() {
  const [edit, setEdit] = useState<TileEdit | null>(null);
  return {
    edit,
    begin: (tiles: Tiles) => setEdit({ tiles, past: [] }),
    resume: (was: TileEdit) => setEdit(was),
    end: () => setEdit(null),
    /** Two keys may be pressed before the page is drawn again: each builds on what the other made. */
    change: (make: (tiles: Tiles) => Tiles) =>
      setEdit((was) => {
        if (was === null) return was;
        const tiles = make(was.tiles);
        return tiles === was.tiles ? was : { tiles, past: [...was.past, was.tiles] };
      }),
    undo: () =>
      setEdit((was) => {
        const before = was?.past.at(-1);
        return was === null || before === undefined ? was : { tiles: before, past: was.past.slice(0, -1) };
      }),
  };
}
