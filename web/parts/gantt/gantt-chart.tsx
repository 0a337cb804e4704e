import {
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { readerZone } from "../../base/moments.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { useNow } from "../now.ts";
import { useLateFocus } from "../viewport/use-late-focus.ts";
import { useView } from "../viewport/use-view.ts";
import { GanttGround } from "./gantt-ground.tsx";
import { GanttRow, type RowCalls } from "./gantt-row.tsx";
import type { GanttEdit, GanttHandle, GanttItem, GanttMark, GanttScale, Span } from "./item.ts";
import { pickOpening, scrollToNow } from "./opening.ts";
import { buildAxis, pickCells, type TimeAxis } from "./time-axis.ts";
import "../../styles/gantt.css";

type Props = {
  label: string;
  /** above the names */
  head: ReactNode;
  items: readonly GanttItem[];
  marks?: readonly GanttMark[];
  scale: GanttScale;
  selected: number | null;
  onSelect(id: number): void;
  onOpen(id: number): void;
  /** the person's current change, and the resulting position of all other items */
  edit: GanttEdit | null;
  shifted: ReadonlyMap<number, Span>;
  onEdit(edit: GanttEdit): void;
  onSave(): void;
  onCancel(): void;
  /** before the name, and at the end of the name column */
  lead?(item: GanttItem): ReactNode;
  trail?(item: GanttItem): ReactNode;
  /** below the rows, on the same time axis */
  foot?(axis: TimeAxis): ReactNode;
  handle?: Ref<GanttHandle>;
  /** pixels */
  rowHeight?: number;
};

const stepOfNow = 15 * 60_000; // milliseconds
const noMarks: readonly GanttMark[] = [];
/** With more rows, only those in view are rendered. */
const drawnWhole = 60;
const footHeight = 30;
/** On a longer time axis, only the days in view are rendered. */
const daysDrawnWhole = 120;

/**
 * Rows and bars on a time axis. A bar is moved by the pointer, or by arrow keys while it is being changed (Shift moves
 * its end); Enter saves, Esc cancels.
 */
export function GanttChart(props: Props) {
  const { label, head, items, marks = noMarks, scale, selected, edit, shifted, rowHeight = 34 } = props;
  const now = useNow();
  const scroller = useRef<HTMLElement>(null);
  const room = useRoom(scroller);
  const axis = useAxis(items, scale, now, room);
  const isLong = items.length > drawnWhole;
  const isWide = axis.cells.length > daysDrawnWhole;
  const view = useView(scroller, isLong || isWide);
  const rowsInView = isLong ? view : null;
  const cells = useMemo(() => pickCells(axis, isWide ? view : null), [axis, isWide, view]);
  const calls = useRowCalls(props, scroller);
  const reachable = items.some(({ id }) => id === selected) ? selected : items[0]?.id;
  useOpening(scroller, room > 0 ? scale : null, (seen) => pickOpening(axis, items, now, seen));
  useImperativeHandle(props.handle, () => ({
    showNow() {
      const box = scroller.current;
      if (box !== null) box.scrollLeft = scrollToNow(axis, now, measureLine(box));
    },
  }));
  const rows = items.flatMap((item, at) => {
    const top = at * rowHeight;
    const isDrawn = rowsInView === null || (top + rowHeight >= rowsInView.top && top <= rowsInView.bottom);
    return isDrawn || item.id === reachable || item.id === edit?.id ? [{ item, at, top }] : [];
  });
  return (
    <section className="gantt" aria-label={label} ref={scroller}>
      <div
        className="gantt-sheet"
        style={{ width: `calc(var(--gantt-names) + ${axis.width}px)`, "--gantt-row": `${rowHeight}px` }}
      >
        <GanttHead head={head} cells={cells.cells} />
        <div className="gantt-body">
          <div className="gantt-names-ground">
            <span />
          </div>
          <GanttGround axis={axis} cells={cells.cells} rests={cells.rests} marks={marks} now={now} />
          <ul
            className="gantt-rows"
            aria-label={label}
            style={isLong ? { flex: "none", height: items.length * rowHeight + footHeight } : undefined}
          >
            {rows.map(({ item, at, top }) => (
              <GanttRow
                key={item.id}
                item={item}
                place={isLong ? top : null}
                position={at + 1}
                count={items.length}
                axis={axis}
                shifted={shifted.get(item.id)}
                edit={edit?.id === item.id ? edit : null}
                isSelected={selected === item.id}
                isReachable={reachable === item.id}
                calls={calls}
                lead={props.lead?.(item)}
                trail={props.trail?.(item)}
              />
            ))}
          </ul>
        </div>
        {props.foot?.(axis)}
      </div>
      <span className="spoken" role="status">
        {edit === null ? "" : t("gantt.editing", { count: shifted.size })}
      </span>
    </section>
  );
}

/** The time axis. It doesn't change while an item is moved: the background must not move with it. */
function useAxis(items: readonly GanttItem[], scale: GanttScale, now: number, room: number): TimeAxis {
  const moments = items.flatMap(({ start, end, baseline }) =>
    [start, end, baseline?.start, baseline?.end].filter((at): at is number => typeof at === "number"),
  );
  // In steps: the chart of a past period ends at the present, and must not be re-rendered with every tick of the clock.
  const coarseNow = Math.floor(now / stepOfNow) * stepOfNow;
  const [least, most] = [Math.min(...moments, coarseNow), Math.max(...moments, coarseNow)];
  return useMemo(
    () =>
      buildAxis({
        moments: [least, most],
        now: coarseNow,
        scale,
        zone: readerZone(),
        locale: currentLocale(),
        room,
      }),
    [least, most, coarseNow, scale, room],
  );
}

/** The callbacks of rows: the same functions on every render, so that an unchanged row isn't re-rendered. */
function useRowCalls(props: Props, scroller: RefObject<HTMLElement | null>): RowCalls {
  const focusLate = useLateFocus(scroller);
  const latest = useRef({ props, focusLate });
  useLayoutEffect(() => {
    latest.current = { props, focusLate };
  });
  return useMemo(
    (): RowCalls => ({
      select: (id) => latest.current.props.onSelect(id),
      open: (id) => latest.current.props.onOpen(id),
      edit: (wanted) => latest.current.props.onEdit(wanted),
      save: () => latest.current.props.onSave(),
      cancel: () => latest.current.props.onCancel(),
      step(id, rows) {
        const all = latest.current.props.items;
        const next = all[all.findIndex((item) => item.id === id) + rows];
        if (next === undefined) return;
        latest.current.props.onSelect(next.id);
        latest.current.focusLate(`[data-bar="${next.id}"]`, true);
      },
    }),
    [],
  );
}

function GanttHead({ head, cells }: { head: ReactNode; cells: TimeAxis["cells"] }) {
  return (
    <div className="gantt-head">
      <div className="gantt-corner">{head}</div>
      <div className="gantt-axis" aria-hidden="true">
        {cells.map(({ at, x, width, label: name, isRest, isToday }) => (
          <span
            key={at}
            className="gantt-cell"
            data-rest={isRest || undefined}
            data-today={isToday || undefined}
            style={{ left: x, width }}
          >
            {width > 26 ? name : ""}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The pixels that the time axis has to fill. */
function useRoom(scroller: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const measure = () => setRoom(Math.ceil(box.clientWidth / 100) * 100);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [scroller]);
  return room;
}

/** The visible width of the time axis, beside the names. */
function measureLine(box: HTMLElement): number {
  const names = box.querySelector<HTMLElement>(".gantt-corner")?.offsetWidth ?? 0;
  return Math.max(0, box.clientWidth - names);
}

/** A chart opens at its items, and returns there when the width of its days changes. */
function useOpening(
  scroller: RefObject<HTMLElement | null>,
  scale: GanttScale | null,
  pick: (seen: number) => number,
): void {
  const latest = useRef(pick);
  latest.current = pick;
  useLayoutEffect(() => {
    const box = scroller.current;
    if (scale !== null && box !== null) box.scrollLeft = latest.current(measureLine(box));
  }, [scroller, scale]);
}
