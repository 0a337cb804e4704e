import { Link } from "../../../elements/link.tsx";
import { type ChartData, formatValue } from "../chart-data.ts";

type Props = { data: ChartData; title: string; corner: string; pathOf(query: string | null): string | null };

/** A table whose cells are darker the higher their count. */
export function Matrix({ data, title, corner, pathOf }: Props) {
  const greatest = Math.max(1, ...data.rows.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0)));
  return (
    <table className="chart-matrix" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{corner}</th>
          {data.series.map((name) => (
            <th key={name} scope="col" className="numbers">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.rows.map(({ key, label, cells }) => (
          <tr key={key}>
            <th scope="row" className="truncate">
              {label}
            </th>
            {cells.map(({ value, query }, at) => {
              const path = pathOf(query);
              const weight = Math.ceil(((value ?? 0) / greatest) * 4);
              return (
                <td key={data.series[at]} className="numbers" data-weight={weight}>
                  {path === null ? (
                    value === 0 ? (
                      "·"
                    ) : (
                      formatValue(value, data.format)
                    )
                  ) : (
                    <Link to={path}>{formatValue(value, data.format)}</Link>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
