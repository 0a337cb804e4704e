import { Link } from "../../../elements/link.tsx";
import { t } from "../../../languages/index.ts";
import { type ChartData, type ChartRow, formatValue } from "../chart-data.ts";

const most = 8;

type Props = { data: ChartData; pathOf(query: string | null): string | null };

/** A bar for each group, the longest for the highest value; groups after the first eight are only in the table. */
export function Bars({ data, pathOf }: Props) {
  const shown = data.rows.slice(0, most);
  const greatest = Math.max(1, ...shown.map(({ cells }) => cells[0]?.value ?? 0));
  return (
    <>
      <ul className="chart-rows">
        {shown.map((row, at) => (
          <li key={row.key}>
            <RowLink row={row} pathOf={pathOf} />
            <span className="chart-track" aria-hidden="true">
              <span
                className="chart-bar"
                data-step={data.rows.length <= 5 ? at : undefined}
                style={{ width: `${((row.cells[0]?.value ?? 0) / greatest) * 100}%` }}
              />
            </span>
            <span className="chart-value numbers">{formatValue(row.cells[0]?.value ?? null, data.format)}</span>
          </li>
        ))}
      </ul>
      <Others count={data.rows.length - shown.length} />
    </>
  );
}

/** Bars begin at this share, because the differences at the top matter. */
const floor = 0.85;
const agreed = 0.95;

/** A bar for each share, colored by its distance from the goal. */
export function Shares({ data, pathOf, isBad = false }: Props & { isBad?: boolean }) {
  const rows = data.rows.filter(({ cells }) => cells[0]?.value != null);
  const shown = rows.slice(0, most);
  const start = !isBad && shown.every(({ cells }) => (cells[0]?.value ?? 0) >= floor) ? floor : 0;
  const toneOf = (value: number): string => {
    const good = isBad ? 1 - value : value;
    return good >= agreed ? "green" : good >= agreed - 0.03 ? "yellow" : "red";
  };
  return (
    <>
      <ul className="chart-rows chart-shares">
        {shown.map((row) => {
          const value = row.cells[0]?.value ?? 0;
          return (
            <li key={row.key} data-tone={toneOf(value)}>
              <RowLink row={row} pathOf={pathOf} />
              <span className="chart-track chart-track-thin" aria-hidden="true">
                <span className="chart-bar" style={{ width: `${Math.max(0, (value - start) / (1 - start)) * 100}%` }} />
              </span>
              <span className="chart-value chart-share numbers">{formatValue(value, "percent")}</span>
              <span className="chart-count numbers">{row.cells[0]?.count}</span>
            </li>
          );
        })}
      </ul>
      <Others count={rows.length - shown.length} />
      {start > 0 && <p className="chart-remark">{t("chart.floor", { percent: floor * 100 })}</p>}
    </>
  );
}

function RowLink({ row, pathOf }: { row: ChartRow; pathOf: Props["pathOf"] }) {
  const path = pathOf(row.cells[0]?.query ?? null);
  return path === null ? (
    <span className="chart-label truncate">{row.label}</span>
  ) : (
    <Link to={path} className="chart-label truncate">
      {row.label}
    </Link>
  );
}

const Others = ({ count }: { count: number }) =>
  count > 0 ? <p className="chart-remark">{t("chart.others", { count })}</p> : null;
