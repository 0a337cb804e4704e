import { t } from "../../../languages/index.ts";
import { useSize } from "../../../parts/viewport/use-size.ts";
import { type ChartData, formatValue, shortDay } from "../chart-data.ts";
import { buildMinuteTicks, buildTicks } from "./scale.ts";

const leastHeight = 268;
const [top, bottom, start, end] = [8, 26, 34, 4];
const mostLabels = 16;

type Props = { data: ChartData; title: string; onOpen(query: string): void };

/** Columns side by side for each day or week, on a scale from zero. */
export function Columns({ data, title, onOpen }: Props) {
  const [ref, width, room] = useSize<HTMLDivElement>();
  const height = Math.max(leastHeight, room);
  const { rows, series, format } = data;
  const greatest = Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0)));
  const ticks = format === "minutes" ? buildMinuteTicks(greatest) : buildTicks(greatest);
  const most = ticks.at(-1) ?? 1;
  const inner = Math.max(0, width - start - end);
  const step = inner / Math.max(1, rows.length);
  const gap = 2;
  const column = Math.max(2, Math.min(14, (step * 0.64 - gap * (series.length - 1)) / series.length));
  const y = (value: number) => height - bottom - (value / most) * (height - top - bottom);
  const skip = Math.ceil(rows.length / Math.min(mostLabels, Math.max(4, inner / 36)));
  const sentence = t("chart.sentence", {
    title,
    totals: data.totals.map(({ value }, at) => `${series[at]} ${formatValue(value, format)}`).join(", "),
  });
  return (
    <div ref={ref} className="chart-columns">
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={sentence}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={start} x2={width - end} y1={y(tick)} y2={y(tick)} className="chart-line" />
              <text x={start - 8} y={y(tick) + 4} textAnchor="end" className="chart-mark">
                {format === "minutes" ? t("chart.hours", { hours: tick / 60 }) : tick}
              </text>
            </g>
          ))}
          {rows.map(({ key, label, cells }, at) => {
            const middle = start + step * (at + 0.5);
            const left = middle - (column * cells.length + gap * (cells.length - 1)) / 2;
            return (
              <g key={key}>
                {cells.map(({ value, query }, index) => {
                  const size = height - bottom - y(value ?? 0);
                  return (
                    // biome-ignore lint/a11y/noStaticElementInteractions: a picture; the table beside it has the links
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies the series
                      key={index}
                      x={left + index * (column + gap)}
                      y={y(value ?? 0)}
                      width={column}
                      height={size}
                      rx={Math.min(2, column / 3)}
                      className="chart-series"
                      data-series={cells.length === 1 ? 1 : index}
                      data-opens={query === null ? undefined : true}
                      onClick={() => query !== null && onOpen(query)}
                    >
                      <title>{`${label}: ${cells.length > 1 ? `${series[index]} ` : ""}${formatValue(value, format)}`}</title>
                    </rect>
                  );
                })}
                {at % skip === 0 && (
                  <text x={middle} y={height - 6} textAnchor="middle" className="chart-mark">
                    {rows.length > 31 || skip > 1 || data.rows[0]?.key.slice(8) === undefined
                      ? label.replace(/^\S+ /, "")
                      : shortDay(key)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
