import { Link } from "../../../elements/link.tsx";
import { t } from "../../../languages/index.ts";
import { type Cell, type ChartData, formatValue } from "../chart-data.ts";

const [size, radius, thickness] = [148, 58, 24];
const most = 6;

type Slice = { key: string; label: string; cell: Cell };

/** Values after the five highest form one slice, which isn't a link: no list shows just these. */
function gatherRest(slices: readonly Slice[]): Slice[] {
  if (slices.length <= most) return [...slices];
  const rest = slices.slice(most - 1).reduce((sum, { cell }) => sum + cell.count, 0);
  const cell = { value: rest, count: rest, query: null };
  return [...slices.slice(0, most - 1), { key: "(rest)", label: t("chart.rest"), cell }];
}

type Props = { data: ChartData; title: string; noun: string; pathOf(query: string | null): string | null };

export function Donut({ data, title, noun, pathOf }: Props) {
  const total = data.totals[0]?.count ?? 0;
  const slices = gatherRest(
    data.rows.flatMap(({ key, label, cells: [cell] }) => (cell === undefined ? [] : [{ key, label, cell }])),
  );
  const around = 2 * Math.PI * radius;
  let before = 0;
  const arcs = slices.map(({ key, cell }) => {
    const share = total === 0 ? 0 : cell.count / total;
    const arc = { key, offset: -before * around, length: Math.max(0, share * around - (slices.length > 1 ? 2 : 0)) };
    before += share;
    return arc;
  });
  const share = (count: number) => (total === 0 ? null : count / total);
  return (
    <div className="chart-donut">
      <svg
        width={size}
        height={size}
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t("chart.sentence", {
          title,
          totals: slices.map(({ label, cell }) => `${label} ${formatValue(share(cell.count), "percent")}`).join(", "),
        })}
      >
        <g transform={`rotate(-90 ${size / 2} ${size / 2})`} fill="none" strokeWidth={thickness}>
          {arcs.map(({ key, offset, length }, at) => (
            <circle
              key={key}
              cx={size / 2}
              cy={size / 2}
              r={radius}
              className="chart-slice"
              data-slice={at}
              strokeDasharray={`${length} ${around - length}`}
              strokeDashoffset={offset}
            />
          ))}
        </g>
        <text x={size / 2} y={size / 2 + 2} textAnchor="middle" className="chart-figure">
          {formatValue(total, "number")}
        </text>
        <text x={size / 2} y={size / 2 + 20} textAnchor="middle" className="chart-mark">
          {noun}
        </text>
      </svg>
      <ul className="chart-legend">
        {slices.map(({ key, label, cell }, at) => {
          const path = pathOf(cell.query);
          return (
            <li key={key}>
              <span className="chart-key" data-slice={at} aria-hidden="true" />
              {path === null ? (
                <span className="truncate">{label}</span>
              ) : (
                <Link to={path} className="truncate">
                  {label}
                </Link>
              )}
              <span className="numbers">{formatValue(share(cell.count), "percent")}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
