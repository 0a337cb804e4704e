import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { allRecords, useDefaultView } from "../default-view.ts";
import type { Widths } from "../grid/widths.ts";
import type { ListAddress, Search } from "../list-address.ts";
import type { View } from "../views.ts";
import type { ListPlace } from "./use-list-address.ts";

type Table = {
  /** the visible columns; others may not fit */
  columns: readonly string[];
  onWidths(widths: Widths): void;
  /** other rows are shown, so the selection is cleared */
  onClear(): void;
  /** resets the active row */
  onReset(): void;
};

/** The steps from one address of a list to another: filters, order, views and columns. */
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
  // Replaces the bare address in the history, because going back to it would open the view again.
  useDefaultView(type, search, (view) => openView(view, true));
  /** The view changes, the rows stay the same. */
  const nameView = (view: string | undefined) => go({ ...search, view }, true);
  /** Removes the filters of a saved view with it, but keeps those that the reader chose. */
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
