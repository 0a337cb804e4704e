import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { allRecords, useDefaultView } from "../default-view.ts";
import type { Widths } from "../grid/widths.ts";
import type { ListAddress, Search } from "../list-address.ts";
import type { View } from "../views.ts";
import type { ListPlace } from "./use-list-address.ts";

type Table = {
  /** the columns that are shown; others may not fit */
  columns: readonly string[];
  onWidths(widths: Widths): void;
  /** other rows are shown: what was selected is not */
  onClear(): void;
  /** no row is active */
  onReset(): void;
};

/** What leads from one address of a list to another: filters, order, views and columns. */
export function useListSteps(type: RecordType, { search, address, go }: ListPlace, table: Table) {
  const { columns, onWidths, onClear, onReset } = table;
  const select = (part: Search) => {
    onReset();
    onClear();
    go({ ...search, ...part });
  };
  const filter = (filters: ListAddress["filters"], q: string | undefined) =>
    select({ ...Object.fromEntries(type.filterable.map((name) => [name, undefined])), ...filters, q });
  const removeLastFilter = () => {
    const last = Object.keys(address.filters).at(-1);
    if (last !== undefined) select({ [last]: undefined });
    else if (address.q !== undefined) select({ q: undefined });
    else select({ state: undefined, view: undefined });
  };
  const openView = (view: View, replace = false) => {
    if (view.value.widths !== undefined) onWidths(view.value.widths);
    onClear();
    go({ ...Object.fromEntries(new URLSearchParams(view.value.query)), view: view.key }, replace);
  };
  // The way back does not lead through the bare address, which would open the view again.
  useDefaultView(type, search, (view) => openView(view, true));
  /** The view is another one, the rows are the same. */
  const nameView = (view: string | undefined) => go({ ...search, view }, true);
  /** The filters of a saved view go with it; those that the reader chose stay. */
  const openState = (state: string | undefined) => {
    const opened: Search = { view: state === undefined ? allRecords : undefined, state };
    if (search.view === undefined || search.view === allRecords) return select(opened);
    onClear();
    go(opened);
  };
  const setColumns = (wanted: readonly string[] | undefined) => go({ ...search, fields: wanted?.join(",") }, true);
  const moveColumn = (name: string, to: number) => {
    const next = address.columns.filter((each) => each !== name);
    const beside = columns[Math.min(Math.max(to, 0), columns.length - 1)];
    const forward = address.columns.indexOf(name) < address.columns.indexOf(beside ?? "");
    next.splice(next.indexOf(beside ?? "") + (forward ? 1 : 0), 0, name);
    setColumns(next);
  };
  return { select, filter, removeLastFilter, openView, nameView, openState, setColumns, moveColumn };
}
