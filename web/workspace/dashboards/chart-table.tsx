import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { type Cell, type ChartData, formatValue } from "./chart-data.ts";

type Props = { data: ChartData; title: string; pathOf(query: string | null): string | null };

/** The numbers of a chart, each a link to the list of the counted records. */
export function ChartTable({ data, title, pathOf }: Props) {
  const isShare = data.format === "percent";
  const show = (cell: Cell) => {
    const path = pathOf(cell.query);
    const words = formatValue(cell.value, data.format);
    return path === null ? words : <Link to={path}>{words}</Link>;
  };
  return (
    <div className="chart-table-frame">
      <table className="chart-table" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {data.series.map((name) => (
              <th key={name} scope="col" className="numbers">
                {isShare ? t("chart.share") : name}
              </th>
            ))}
            {isShare && (
              <th scope="col" className="numbers">
                {t("dashboard.count")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {data.rows.map(({ key, label, cells }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {cells.map((cell, at) => (
                <td key={data.series[at]} className="numbers">
                  {show(cell)}
                </td>
              ))}
              {isShare && <td className="numbers">{cells[0]?.count}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
