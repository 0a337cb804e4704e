// biome-ignore-all lint/a11y/useSemanticElements: rows of a virtual list are positioned, which those of a table cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names the active row or cell
import { type DragEvent, type KeyboardEvent, type PointerEvent, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { AscendingIcon, DescendingIcon } from "../../../elements/icons.tsx";
import { t } from "../../../languages/index.ts";
import type { Selection } from "../bulk/selection.ts";
import type { SortKey } from "../list-address.ts";
import { columnLabel, columnWidth, isRightAligned, minimumWidth } from "./columns.ts";
import { SelectBox } from "./select-box.tsx";
import type { Widths } from "./widths.ts";

export type HeaderProps = {
  type: RecordType;
  columns: readonly string[];
  widths: Widths;
  sort: readonly SortKey[];
  onSort(keys: readonly SortKey[]): void;
  onMove(name: string, to: number): void;
  onWidths(widths: Widths): void;
  rows: readonly Row[];
  selection: Selection;
};

/** A second click on the header reverses the order; with Shift it becomes an additional sort key. */
function nextSort(sort: readonly SortKey[], name: string, further: boolean): SortKey[] {
  const old = sort.find((key) => key.name === name);
  const key = { name, descending: old === undefined ? false : !old.descending };
  if (!further) return [key];
  return old === undefined ? [...sort, key] : sort.map((each) => (each.name === name ? key : each));
}

export function GridHeader({ type, columns, widths, sort, onSort, onMove, onWidths, rows, selection }: HeaderProps) {
  const [dragged, setDragged] = useState<string | null>(null);
  const partly = !selection.all && selection.count > 0;
  const allLoaded = selection.all || (rows.length > 0 && selection.ids.size === rows.length);

  const drop = (event: DragEvent, name: string) => {
    event.preventDefault();
    if (dragged !== null && dragged !== name) onMove(dragged, columns.indexOf(name));
    setDragged(null);
  };
  const onKeyDown = (event: KeyboardEvent, name: string) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || !event.shiftKey) return;
    event.preventDefault();
    onMove(name, columns.indexOf(name) + by);
  };
  return (
    <div className="list-head" role="row" aria-rowindex={1}>
      <span role="columnheader" aria-colindex={1} className="list-box">
        <SelectBox
          checked={allLoaded}
          partly={partly && !allLoaded}
          label={t("list.selectLoaded")}
          onChange={() => (selection.count > 0 ? selection.clear() : selection.selectLoaded())}
        />
      </span>
      {columns.map((name, at) => {
        const sortable = type.sortable.includes(name);
        const index = sort.findIndex((key) => key.name === name);
        const key = sort[index];
        const label = columnLabel(name);
        return (
          <span
            key={name}
            role="columnheader"
            aria-colindex={at + 2}
            aria-sort={key === undefined || index > 0 ? "none" : key.descending ? "descending" : "ascending"}
            className="list-head-cell"
            data-right={isRightAligned(type, name) || undefined}
            data-over={dragged !== null && dragged !== name ? true : undefined}
            draggable
            onDragStart={() => setDragged(name)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => drop(event, name)}
          >
            <button
              type="button"
              className="list-sort"
              disabled={!sortable}
              aria-label={sortable ? t("list.sortBy", { field: label }) : label}
              data-sorted={key !== undefined || undefined}
              onClick={(event) => onSort(nextSort(sort, name, event.shiftKey))}
              onKeyDown={(event) => onKeyDown(event, name)}
            >
              <span className="truncate">{label}</span>
              {key !== undefined && (key.descending ? <DescendingIcon size={14} /> : <AscendingIcon size={14} />)}
              {sort.length > 1 && index >= 0 && <span className="list-sort-rank">{index + 1}</span>}
            </button>
            <ResizeHandle
              width={widths[name] ?? columnWidth(type, name)}
              onResize={(width) => onWidths({ ...widths, [name]: width })}
              onReset={() => {
                const { [name]: _, ...rest } = widths;
                onWidths(rest);
              }}
            />
          </span>
        );
      })}
    </div>
  );
}

type HandleProps = { width: number; onResize(width: number): void; onReset(): void };

/** For the pointer only; the column menu does the same by keyboard. A double click resets the width. */
function ResizeHandle({ width, onResize, onReset }: HandleProps) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const box = handle.parentElement?.getBoundingClientRect();
    const [start, from] = [event.clientX, box?.width ?? width];
    handle.setPointerCapture(event.pointerId);
    const onPointerMove = (moved: globalThis.PointerEvent) =>
      onResize(Math.max(minimumWidth, Math.round(from + moved.clientX - start)));
    const end = () => {
      handle.removeEventListener("pointermove", onPointerMove);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
    };
    handle.addEventListener("pointermove", onPointerMove);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  };
  return (
    <span
      className="list-resize"
      aria-hidden="true"
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={onPointerDown}
      onDoubleClick={onReset}
    />
  );
}
