// biome-ignore-all lint/a11y/useSemanticElements: rows of a virtual list are positioned, which those of a table cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names the active row or cell
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { usePreference } from "../../../base/preferences.ts";
import { whenIdle } from "../../../base/when-idle.ts";
import { collectionLabel } from "../../../languages/labels.ts";
import { RowBoundary } from "../../../parts/lists/row-boundary.tsx";
import type { Selection } from "../bulk/selection.ts";
import { cellElementId, rowElementId } from "../element-ids.ts";
import { columnWidth } from "./columns.ts";
import { GridHeader, type HeaderProps } from "./grid-header.tsx";
import { GridRow, GroupRow } from "./grid-row.tsx";
import { NarrowRow } from "./narrow-row.tsx";
import type { Widths } from "./widths.ts";

// A virtual list: only visible rows are in the DOM.

const narrowBelow = 640;
const narrowRowHeight = 60;

export type ListLine =
  | { kind: "row"; row: Row; index: number }
  | { kind: "group"; key: string; label: string; to: string | undefined };
export type ActiveCell = { row: number; column: string | null };

type Props = Omit<HeaderProps, "selection" | "rows"> & {
  type: RecordType;
  lines: readonly ListLine[];
  rows: readonly Row[];
  total: number;
  widths: Widths;
  size: { height: number; width: number };
  selection: Selection;
  active: ActiveCell;
  onActive(active: ActiveCell): void;
  editing: boolean;
  onEdit(editing: boolean): void;
  onSave(row: Row, name: string, value: unknown): Promise<boolean>;
  onEndReached(): void;
  scrollKey: string;
  element: RefObject<HTMLDivElement | null>;
};

const isNarrow = (width: number): boolean => width < narrowBelow;

/** The virtual list: which rows are in the DOM, where it is scrolled to, and when it needs more rows. */
function useVisibleRows({ lines, size, active, scrollKey, onEndReached }: Props, height: number) {
  const scroller = useRef<HTMLDivElement>(null);
  // Rows outside the viewport are only needed for scrolling: the first render doesn't include them.
  const [hasSpareRows, setHasSpareRows] = useState(false);
  useEffect(() => whenIdle(() => setHasSpareRows(true)), []);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: hasSpareRows ? 10 : 0,
    initialOffset: () => Number(sessionStorage.getItem(scrollKey) ?? 0),
    initialRect: { width: size.width, height: size.height },
  });
  // The density changes the height of all rows.
  const measuredHeight = useRef(height);
  useEffect(() => {
    if (measuredHeight.current === height) return;
    measuredHeight.current = height;
    virtual.measure();
  }, [virtual, height]);
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  const askForMore = useEffectEvent(onEndReached);
  useEffect(() => {
    if (last >= lines.length - 30) askForMore();
  }, [last, lines.length]);
  const showRow = useEffectEvent((row: number) => {
    const at = lines.findIndex((line) => line.kind === "row" && line.index === row);
    if (at >= 0) virtual.scrollToIndex(at);
  });
  // A row that becomes active is scrolled into view. Rows added and removed around it don't scroll the list.
  useEffect(() => {
    if (active.row >= 0) showRow(active.row);
  }, [active.row]);
  return { scroller, virtual };
}

/** The arrow, page, Home and End keys move the active row and cell. */
function useGridKeys({ rows, columns, active, onActive }: Props, pageOfRows: number) {
  const move = (by: number) =>
    onActive({ ...active, row: Math.min(Math.max(active.row + by, 0), Math.max(rows.length - 1, 0)) });
  const moveColumn = (by: number) => {
    const at = active.column === null ? -1 : columns.indexOf(active.column);
    const next = Math.min(Math.max(at + by, -1), columns.length - 1);
    onActive({ ...active, column: next < 0 ? null : (columns[next] ?? null) });
  };
  const rowSteps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageOfRows,
    PageUp: -pageOfRows,
    Home: -rows.length,
    End: rows.length,
  };
  const columnSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
  return (event: KeyboardEvent) => {
    const { key, target, currentTarget, shiftKey, altKey } = event;
    const [rowStep, columnStep] = [rowSteps[key], columnSteps[key]];
    if (target !== currentTarget || shiftKey || altKey || (rowStep ?? columnStep) === undefined) return;
    event.preventDefault();
    if (rowStep !== undefined) move(rowStep);
    if (columnStep !== undefined) moveColumn(columnStep);
  };
}

/** The columns of the CSS grid. */
const buildTemplate = ({ type, columns, widths }: Props): string =>
  [
    "44px",
    ...columns.map((name) => {
      const width = widths[name];
      if (width === undefined && name === type.display && name !== "id") return "minmax(160px, 1fr)";
      return `${width ?? columnWidth(type, name)}px`;
    }),
  ].join(" ");

export function Grid(props: Props) {
  const { type, lines, rows, total, columns, size, selection, active, onActive, scrollKey, element } = props;
  const density = usePreference("density");
  const narrow = isNarrow(size.width);
  const height = narrow ? narrowRowHeight : density === "compact" ? 36 : 44;
  const { scroller, virtual } = useVisibleRows(props, height);
  const onKeyDown = useGridKeys(props, Math.floor(size.height / height));
  const activeId =
    active.row < 0 || narrow
      ? undefined
      : active.column === null
        ? rowElementId(active.row)
        : cellElementId(active.row, active.column);
  return (
    <div
      ref={element}
      className="list-grid"
      data-narrow={narrow || undefined}
      role="grid"
      aria-label={collectionLabel(type)}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable="true"
      aria-activedescendant={activeId}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={({ target, currentTarget, relatedTarget }) => {
        // When the page itself focuses the list, no row is chosen yet.
        if (target === currentTarget && relatedTarget !== null && active.row < 0) onActive({ row: 0, column: null });
      }}
      // React's types don't include custom properties.
      style={{ "--list-columns": buildTemplate(props), "--list-row": `${height}px` } as CSSProperties}
    >
      {!narrow && <GridHeader {...props} selection={selection} rows={rows} />}
      <div
        ref={scroller}
        className="list-scroller"
        role="rowgroup"
        style={{ height: size.height - (narrow ? 0 : 34) }}
        onScroll={(event) => sessionStorage.setItem(scrollKey, String(event.currentTarget.scrollTop))}
        tabIndex={-1}
      >
        <div className="list-room" role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (line === undefined) return null;
            return (
              <GridLine
                key={line.kind === "row" ? line.row.id : line.key}
                line={line}
                start={item.start}
                height={item.size}
                isNarrow={narrow}
                grid={props}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

type LineProps = { line: ListLine; start: number; height: number; isNarrow: boolean; grid: Props };

/** A row, or a group heading, at its position in the list. */
function GridLine({ line, start, height, isNarrow, grid }: LineProps) {
  const { type, columns, selection, active, onActive } = grid;
  const style = { transform: `translateY(${start}px)`, height };
  if (line.kind === "group") return <GroupRow label={line.label} to={line.to} style={style} />;
  const common = {
    type,
    row: line.row,
    index: line.index,
    isActive: line.index === active.row,
    isSelected: selection.has(line.row.id),
    onSelect: (extend: boolean) => (extend ? selection.extendTo(line.row.id) : selection.toggle(line.row.id)),
    style,
  };
  return (
    <RowBoundary row={line.row} frame={(notice) => <GroupRow label={notice} style={style} />}>
      {() =>
        isNarrow ? (
          <NarrowRow {...common} />
        ) : (
          <GridRow
            {...common}
            columns={columns}
            activeColumn={line.index === active.row ? active.column : null}
            isEditing={grid.editing && line.index === active.row}
            onActive={(column) => onActive({ row: line.index, column })}
            onEdit={grid.onEdit}
            onSave={grid.onSave}
            idOf={cellElementId}
          />
        )
      }
    </RowBoundary>
  );
}
