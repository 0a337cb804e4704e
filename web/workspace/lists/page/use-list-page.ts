import { useMemo, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useActions } from "../../../actions/registry.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { paths } from "../../../base/paths.ts";
import { useAsSourceList } from "../../../base/source-list.ts";
import { collectionLabel } from "../../../languages/labels.ts";
import { buildBulkActions } from "../bulk/bulk-actions.ts";
import { useSelection } from "../bulk/selection.ts";
import { pickFittingColumns } from "../grid/columns.ts";
import { groupLines } from "../grid/group-lines.ts";
import { useWidths } from "../grid/widths.ts";
import { buildListActions } from "../list-actions.ts";
import { writeViewQuery } from "../list-address.ts";
import { useFillHeight } from "../use-fill-height.ts";
import { useLiveRows } from "../use-live-rows.ts";
import { useRows } from "../use-rows.ts";
import { useActiveRow } from "./use-active-row.ts";
import { useCellSave } from "./use-cell-save.ts";
import { useListAddress } from "./use-list-address.ts";
import { useListSteps } from "./use-list-steps.ts";
import { useSelectAllKey } from "./use-select-all-key.ts";

/** The width of the checkbox and of the row menu, in pixels. */
const besideColumns = 44 + 26;
const narrowBelow = 640;

/** The shared state of a list's sections: its rows, the active and selected ones, and functions to change them. */
export function useListPage(type: RecordType) {
  const { account, may } = useCurrentAccount();
  const place = useListAddress(type);
  const { search, address, query } = place;
  const list = useRows(type, query);
  const { rows } = list;
  useLiveRows(type, list.data?.pages.length ?? 1);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  useAsSourceList(
    collectionLabel(type),
    useMemo(() => ids.map((id) => paths.record(account.id, type, id)), [ids, account.id, type]),
  );

  const frame = useRef<HTMLDivElement>(null);
  const size = useFillHeight(frame);
  const [widths, setWidths] = useWidths(account.id, type.collection);
  const lines = useMemo(() => groupLines(type, address.group, rows), [type, address.group, rows]);
  const room = size.width - besideColumns;
  const columns = useMemo(
    () => pickFittingColumns(type, address.columns, widths, room),
    [type, address.columns, widths, room],
  );

  const selection = useSelection(ids, list);
  const focus = useActiveRow(type, rows);
  const { active, move, editing, setEditing } = focus;
  const steps = useListSteps(type, place, {
    columns,
    onWidths: setWidths,
    onClear: selection.clear,
    onReset: focus.reset,
  });
  const cells = useCellSave(type, list.show, focus.leaveCell);
  const [adding, setAdding] = useState(false);
  const [bulk, setBulk] = useState<string | null>(null);
  const bulkActions = may("update", type) ? buildBulkActions(type, selection.count, setBulk) : [];
  useActions([
    ...buildListActions({ type, account: account.id, rows, active, move, selection, setEditing, setAdding, editing }),
    ...bulkActions,
  ]);
  useSelectAllKey(selection.selectLoaded);
  return {
    type,
    search,
    address,
    query,
    list,
    rows,
    lines,
    viewQuery: writeViewQuery(search),
    frame,
    size,
    isNarrow: size.width < narrowBelow,
    widths,
    setWidths,
    columns,
    selection,
    focus,
    steps,
    cells,
    adding,
    setAdding,
    bulk,
    setBulk,
    bulkActions,
  };
}
export type ListPage = ReturnType<typeof useListPage>;
