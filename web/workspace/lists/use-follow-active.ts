import { type Dispatch, type SetStateAction, useLayoutEffect, useRef } from "react";
import type { Row } from "../../api/index.ts";
import type { ActiveCell } from "./grid/grid.tsx";

/** A record added or removed above the active row moves it: the next key must not act on its neighbor. */
export function useFollowActive(
  rows: readonly Row[],
  { row }: ActiveCell,
  setActive: Dispatch<SetStateAction<ActiveCell>>,
): void {
  const followed = useRef<{ rows: readonly Row[]; id: number | undefined }>({ rows, id: undefined });
  useLayoutEffect(() => {
    const { rows: before, id } = followed.current;
    const at = before === rows || id === undefined ? -1 : rows.findIndex((each) => each.id === id);
    const isMoved = at >= 0 && at !== row && before[row]?.id === id;
    followed.current = { rows, id: isMoved ? id : rows[row]?.id };
    if (isMoved) setActive((was) => ({ ...was, row: at }));
  }, [rows, row, setActive]);
}
