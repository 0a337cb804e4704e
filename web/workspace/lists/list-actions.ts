import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Action } from "../../actions/action.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import type { Selection } from "./bulk/selection.ts";
import { isEditable } from "./grid/cell-editor.tsx";
import type { ActiveCell } from "./grid/grid.tsx";

type Context = {
  type: RecordType;
  account: string;
  rows: readonly Row[];
  active: ActiveCell;
  move(to: ActiveCell): void;
  selection: Selection;
  editing: boolean;
  setEditing(editing: boolean): void;
  setAdding(adding: boolean): void;
};

/** Moving, opening and selecting by key; the filter menu. */
export function buildListActions(context: Context): Action[] {
  const { type, account, rows, active, move, selection, setEditing, setAdding, editing } = context;
  const current = rows[active.row];
  const step = (by: number) => {
    const row = Math.min(Math.max(active.row + by, 0), Math.max(rows.length - 1, 0));
    move({ ...active, row });
    return rows[row];
  };
  const extend = (by: number) => {
    if (current !== undefined && selection.count === 0) selection.toggle(current.id);
    const reached = step(by);
    if (reached !== undefined) selection.extendTo(reached.id);
  };
  const openOrEdit = () => {
    if (current === undefined) return;
    if (active.column !== null && isEditable(type, active.column)) setEditing(true);
    else navigateTo(paths.record(account, type, current.id));
  };
  const hasRows = rows.length > 0 && !editing;
  // biome-ignore format: a table keeps its columns
  return [
    { id: "list.down",       name: t("list.keyDown"),       group: "list",      keys: "j",       keysOnly: true, when: hasRows, run: () => step(1) },
    { id: "list.up",         name: t("list.keyUp"),         group: "list",      keys: "k",       keysOnly: true, when: hasRows, run: () => step(-1) },
    { id: "list.open",       name: t("list.keyOpen"),       group: "list",      keys: "enter",   keysOnly: true, when: hasRows && current !== undefined, run: openOrEdit },
    { id: "list.select",     name: t("list.keySelect"),     group: "list",      keys: "x",       keysOnly: true, when: hasRows && current !== undefined, run: () => current !== undefined && selection.toggle(current.id) },
    { id: "list.extendDown", name: t("list.keyExtendDown"), group: "list",      keys: "shift+j", keysOnly: true, when: hasRows, run: () => extend(1) },
    { id: "list.extendUp",   name: t("list.keyExtendUp"),   group: "list",      keys: "shift+k", keysOnly: true, when: hasRows, run: () => extend(-1) },
    { id: "list.selectAll",  name: t("list.keySelectAll"),  group: "list",      words: "mod+a",  when: hasRows, run: () => selection.selectLoaded() },
    { id: "list.filter",     name: t("list.keyFilter"),     group: "list",      keys: "f",       when: !editing, run: () => setAdding(true) },
    { id: "list.clear",      name: t("bulk.clear"),         group: "selection", keys: "escape",  keysOnly: true, when: selection.count > 0 && !editing, run: () => selection.clear() },
    { id: "list.leaveCell",  name: t("app.close"),          group: "list",      keys: "escape",  keysOnly: true, when: active.column !== null && !editing, run: () => move({ ...active, column: null }) },
  ];
}
