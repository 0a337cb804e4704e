import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from "react";
import { formatExact } from "../../base/moments.ts";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { statusLabel } from "../work/status.tsx";
import type { GanttEdit, GanttItem, Span } from "./item.ts";
import { moveSpan } from "./move-span.ts";
import type { TimeAxis } from "./time-axis.ts";
import { leastWidth, useBarDrag } from "./use-bar-drag.ts";

export type RowCalls = {
  select(id: number): void;
  open(id: number): void;
  step(id: number, rows: 1 | -1): void;
  edit(edit: GanttEdit): void;
  save(): void;
  cancel(): void;
};

type Props = {
  item: GanttItem;
  /** pixels from the first row, if not all rows are rendered */
  place: number | null;
  /** which of how many rows it is */
  position: number;
  count: number;
  axis: TimeAxis;
  /** its position after the current change */
  shifted: Span | undefined;
  edit: GanttEdit | null;
  isSelected: boolean;
  isReachable: boolean;
  calls: RowCalls;
  lead: ReactNode;
  trail: ReactNode;
};

/** One line of the chart: the name, and the bar on the time axis. */
export const GanttRow = memo(function GanttRow(props: Props) {
  const { item, place, position, count, axis, shifted, edit, isSelected, isReachable, calls, lead, trail } = props;
  const bar = useRef<HTMLButtonElement>(null);
  const planned = item.start === null ? null : { start: item.start, end: item.end ?? item.start };
  const span = edit ?? shifted ?? planned;
  const drag = useBarDrag({ id: item.id, bar, span, axis, isEdited: edit !== null, calls });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const days = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (edit !== null && days !== 0 && span !== null) {
      const what = event.shiftKey ? "resize" : "move";
      if (what === "resize" ? item.mayResize !== true : item.mayMove !== true) return;
      calls.edit(moveSpan(item.id, span, what, days * 86_400_000, axis.step));
    } else if (edit !== null && event.key === "Enter") calls.save();
    else if (event.key === "Escape" && drag.stop()) calls.cancel();
    else if (edit !== null && event.key === "Escape") calls.cancel();
    else if (event.key === "Enter") calls.open(item.id);
    else if (rows !== 0 && edit === null) calls.step(item.id, rows === 1 ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // An item moved by keys stays in view; the pointer is already there.
  useEffect(() => {
    if (edit !== null && !drag.isActive()) bar.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [edit, drag]);
  return (
    <li
      className="gantt-row"
      data-selected={isSelected || undefined}
      data-kind={item.kind}
      style={place === null ? undefined : { position: "absolute", insetInline: 0, top: place }}
      aria-posinset={place === null ? undefined : position}
      aria-setsize={place === null ? undefined : count}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the bar beside it has the keys */}
      <div
        className="gantt-name"
        onClick={() => calls.select(item.id)}
        data-conditional={item.isConditional || undefined}
      >
        {lead}
        <span className="truncate gantt-name-text">{item.name}</span>
        <span className="gantt-trail">{trail}</span>
      </div>
      <div className="gantt-line" style={{ width: axis.width }}>
        {item.baseline !== undefined && (
          <span
            className="gantt-baseline"
            style={{
              left: axis.place(item.baseline.start),
              width: axis.toPixels(item.baseline.end - item.baseline.start),
            }}
          />
        )}
        {edit !== null && planned !== null && (
          <span
            className="gantt-before"
            style={{
              left: axis.place(planned.start),
              width: Math.max(leastWidth, axis.toPixels(planned.end - planned.start)),
            }}
          />
        )}
        <button
          ref={bar}
          type="button"
          className="gantt-bar"
          data-bar={item.id}
          data-kind={item.kind}
          data-state={item.state}
          data-begun={item.isBegun || undefined}
          data-critical={item.isCritical || undefined}
          data-conditional={item.isConditional || undefined}
          data-shifted={shifted !== undefined || edit !== null || undefined}
          data-unplanned={span === null || undefined}
          data-movable={item.mayMove || undefined}
          aria-label={speak(item, span)}
          aria-pressed={isSelected}
          tabIndex={isReachable ? 0 : -1}
          style={placeBar(item, span, axis)}
          {...(span === null || edit !== null
            ? {}
            : tip(`${item.name}: ${formatExact(span.start)} – ${formatExact(span.end)}`))}
          onFocus={() => calls.select(item.id)}
          onClick={() => calls.select(item.id)}
          onDoubleClick={() => calls.open(item.id)}
          onKeyDown={onKeyDown}
          {...(item.mayMove === true ? drag.handlers("move") : {})}
        >
          {item.progress !== undefined && item.progress > 0 && (
            <span className="gantt-progress" style={{ inlineSize: `${Math.round(item.progress * 100)}%` }} />
          )}
          {span === null && <span className="gantt-unplanned">{nameMissing(item)}</span>}
          {item.mayResize === true && item.kind === "bar" && span !== null && (
            <span className="gantt-edge" {...drag.handlers("resize")} />
          )}
        </button>
      </div>
    </li>
  );
});

/** The reason for a missing bar. */
const nameMissing = ({ state }: GanttItem): string =>
  state === "canceled" ? statusLabel("task", "canceled") : t("gantt.unplanned");

function placeBar({ kind }: GanttItem, span: Span | null, axis: TimeAxis) {
  if (span === null) return undefined;
  const left = axis.place(span.start);
  return kind === "milestone" ? { left } : { left, width: Math.max(leastWidth, axis.toPixels(span.end - span.start)) };
}

function speak(item: GanttItem, span: Span | null): string {
  if (span === null) return t("gantt.spokenUnplanned", { name: item.name });
  const values = { name: item.name, from: formatExact(span.start), until: formatExact(span.end) };
  return t(item.isCritical === true ? "gantt.spokenCritical" : "gantt.spoken", values);
}
