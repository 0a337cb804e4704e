import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { getLastVisit } from "../../../base/source-list.ts";
import { rowQueries } from "../../../queries/workspace/lists.ts";
import type { ActiveCell } from "../grid/grid.tsx";
import { useFollowActive } from "../use-follow-active.ts";

const noCell: ActiveCell = { row: -1, column: null };
const prefetchDelay = 120; // milliseconds

/** The row or cell on which keys act, and whether it is being edited. */
export function useActiveRow(type: RecordType, rows: readonly Row[]) {
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<ActiveCell>(() => ({
    ...noCell,
    row: getLastVisit(location.pathname, location.search)?.at ?? noCell.row,
  }));
  const [editing, setEditing] = useState(false);
  const leaveCell = () => {
    setEditing(false);
    grid.current?.focus({ preventScroll: true });
  };
  const move = (to: ActiveCell) => {
    setActive(to);
    leaveCell();
  };
  usePrefetchRecord(type, rows[active.row]?.id);
  useFollowActive(rows, active, setActive);
  // Arrow keys act in the list as soon as it is opened; on a fresh page the first Tab focuses the link that skips the
  // menu. After a filter is applied, no element has the focus until its rows are rendered.
  useEffect(() => {
    if (rows.length > 0 && document.activeElement === document.body && navigator.userActivation?.hasBeenActive)
      grid.current?.focus({ preventScroll: true });
  }, [rows]);
  return { grid, active, move, reset: () => setActive(noCell), editing, setEditing, leaveCell };
}

/** Preloads the record that may be opened next while the focus rests on its row. */
function usePrefetchRecord(type: RecordType, id: number | undefined): void {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const prefetch = useEffectEvent((wanted: number) => queries.prefetchQuery(rowQueries.record(api, type, wanted)));
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => prefetch(id), prefetchDelay);
    return () => clearTimeout(timer);
  }, [id]);
}
