import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { currentLocale, t } from "../../languages/index.ts";
import { formatClock, readerZone } from "../../moments.ts";
import { useNow } from "../now.ts";
import { useLateFocus } from "../viewport/use-late-focus.ts";
import { useView } from "../viewport/use-view.ts";
import { GanttRow, type RowCalls } from "./gantt-row.tsx";
import type { GanttEdit, GanttItem, GanttMark, GanttScale, Span } from "./item.ts";
import { buildAxis } from "./time-axis.ts";
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
  /** what the person is changing, and where everything else would go */
  edit: GanttEdit | null;
  shifted: ReadonlyMap<number, Span>;
  onEdit(edit: GanttEdit): void;
  onSave(): void;
  onCancel(): void;
  /** before the name, and at the end of the column of names */
  lead?(item: GanttItem): ReactNode;
  trail?(item: GanttItem): ReactNode;
};

const hourOfNow = 15 * 60_000;
/** Of more rows than these only those in view are drawn. */
const drawnWhole = 60;
const rowHeight = 34; // pixels
const footHeight = 30;

/**
 * Rows and bars on a line of time. A bar is moved by the pointer, or by arrows while it is being changed (Shift moves its
 * end); Enter saves, Esc puts it back.
 */
export function GanttChart(props: Props) {
  const { label, head, items, marks = [], scale, selected, edit, shifted } = props;
  const now = useNow();
  const scroller = useRef<HTMLElement>(null);
  const room = useRoom(scroller);
  // The line of time stays while something is moved: what moves must not move the ground.
  const moments = items.flatMap(({ start, end, baseline }) =>
    [start, end, baseline?.start, baseline?.end].filter((at): at is number => typeof at === "number"),
  );
  const [least, most] = [Math.min(...moments, now), Math.max(...moments, now)];
  const coarseNow = Math.floor(now / hourOfNow) * hourOfNow;
  const axis = useMemo(
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
  const isLong = items.length > drawnWhole;
  const view = useView(scroller, isLong);
  const focusLate = useLateFocus(scroller);
  const latest = useRef({ props, focusLate });
  useLayoutEffect(() => {
    latest.current = { props, focusLate };
  });
  const calls = useMemo(
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
  const reachable = items.some(({ id }) => id === selected) ? selected : items[0]?.id;
  useStartAtNow(scroller, axis.place(now), room > 0);
  const rows = items.flatMap((item, at) => {
    const top = at * rowHeight;
    const isDrawn = view === null || (top + rowHeight >= view.top && top <= view.bottom);
    return isDrawn || item.id === reachable || item.id === edit?.id ? [{ item, at, top }] : [];
  });
  return (
    <section className="gantt" aria-label={label} ref={scroller}>
      <div className="gantt-sheet" style={{ width: `calc(var(--gantt-names) + ${axis.width}px)` }}>
        <div className="gantt-head">
          <div className="gantt-corner">{head}</div>
          <div className="gantt-axis" aria-hidden="true">
            {axis.cells.map(({ at, x, width, label: name, isRest, isToday }) => (
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
        <div className="gantt-ground" style={{ width: axis.width }} aria-hidden="true">
          {axis.rests.map(({ x, width }) => (
            <span key={x} className="gantt-rest" style={{ left: x, width }} />
          ))}
          {axis.cells.map(({ at, x }) => (
            <span key={at} className="gantt-rule" style={{ left: x }} />
          ))}
          {marks.map(({ key, start, end, label: name }) => (
            <span
              key={key}
              className="gantt-mark"
              data-moment={end === undefined || undefined}
              style={{ left: axis.place(start), ...(end === undefined ? {} : { width: axis.toPixels(end - start) }) }}
            >
              <span>{name}</span>
            </span>
          ))}
          <span className="gantt-now" style={{ left: axis.place(now) }}>
            <span className="numbers">{formatClock(now)}</span>
          </span>
        </div>
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
      <span className="spoken" role="status">
        {edit === null ? "" : t("gantt.editing", { count: shifted.size })}
      </span>
    </section>
  );
}

/** The pixels that the line of time has to fill. */
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

/** The first sight of a chart that began long ago is the present. */
function useStartAtNow(scroller: RefObject<HTMLElement | null>, place: number, isReady: boolean): void {
  const first = useRef(place);
  first.current = place;
  useEffect(() => {
    const box = scroller.current;
    if (isReady && box !== null && first.current > box.clientWidth * 0.6)
      box.scrollLeft = first.current - box.clientWidth * 0.3;
  }, [scroller, isReady]);
}
