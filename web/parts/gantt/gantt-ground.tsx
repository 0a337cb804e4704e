import { memo } from "react";
import { formatClock } from "../../base/moments.ts";
import type { GanttMark } from "./item.ts";
import type { AxisCell, TimeAxis } from "./time-axis.ts";

type Props = {
  axis: TimeAxis;
  cells: readonly AxisCell[];
  rests: TimeAxis["rests"];
  marks: readonly GanttMark[];
  now: number;
};

/** The background of the bars: days off, lines, periods of the whole chart, the present. */
export const GanttGround = memo(function GanttGround({ axis, cells, rests, marks, now }: Props) {
  const shown = marks.filter(({ start, end = start }) => end > axis.from && start < axis.until);
  return (
    <div className="gantt-ground" style={{ width: axis.width }} aria-hidden="true">
      {rests.map(({ x, width }) => (
        <span key={x} className="gantt-rest" style={{ left: x, width }} />
      ))}
      {shown.map(({ key, start, end, label, kind }, at) => {
        const left = axis.place(Math.max(start, axis.from));
        const width = end === undefined ? undefined : axis.place(Math.min(end, axis.until)) - left;
        const next = shown[at + 1];
        const roomOfName = next === undefined ? Number.POSITIVE_INFINITY : axis.place(next.start) - left;
        return (
          <span
            key={key}
            className="gantt-mark"
            data-kind={kind}
            data-moment={end === undefined || undefined}
            style={width === undefined ? { left } : { left, width }}
          >
            {label.length * widthOfLetter < roomOfName && <span>{label}</span>}
          </span>
        );
      })}
      {cells.map(({ at, x }) => (
        <span key={at} className="gantt-rule" style={{ left: x }} />
      ))}
      <span className="gantt-now" style={{ left: axis.place(now) }}>
        <span className="numbers">{formatClock(now)}</span>
      </span>
    </div>
  );
});

/** A name is left out if the next one would overlap it. */
const widthOfLetter = 6.5; // pixels
