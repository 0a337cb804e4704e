import { useState } from "react";
import type { Tiles } from "./tile-choice.ts";

/** The edited tiles, with their undo history. Null: read mode. */
export type TileEdit = { tiles: Tiles; past: readonly Tiles[] };

export function useTileEdit() {
  const [edit, setEdit] = useState<TileEdit | null>(null);
  return {
    edit,
    begin: (tiles: Tiles) => setEdit({ tiles, past: [] }),
    resume: (was: TileEdit) => setEdit(was),
    end: () => setEdit(null),
    /** Two keys may be pressed before the next render: each change builds on the previous one. */
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
