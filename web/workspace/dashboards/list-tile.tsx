import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatMinutes } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { useNow } from "../../parts/now.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { dashboardQueries } from "../../queries/dashboards.ts";
import { formatTotal } from "../../queries/total.ts";
import { buildFilters, type Choice } from "./range.ts";
import type { ListTile as Tile } from "./tile.ts";

const shown = 6;

/** The first records of a list, and a link to the whole list. */
export function ListTile({ tile, title, choice }: { tile: Tile; title: string; choice: Choice }) {
  const { account, api } = useCurrentAccount();
  const now = useNow();
  const { collection, sort, late } = tile;
  const filters = buildFilters(tile, choice);
  const query = {
    ...filters,
    sort,
    fields: ["subject", "team", ...(late === undefined ? [] : [late])].join(","),
    per_page: String(shown),
  };
  const { data, error, refetch } = useQuery(dashboardQueries.rows(api, collection, query));
  const parameters = Object.entries({ ...filters, sort }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const listPath = `${paths.list(account.id, { collection })}?${new URLSearchParams(parameters)}`;
  return (
    <>
      <div className="tile-head">
        <h2 className="tile-title" title={t(tile.explanation)}>
          {title}
        </h2>
        {data !== undefined && data.total > 0 && (
          <Chip tone={late === undefined ? "grey" : "red"}>{formatTotal(data)}</Chip>
        )}
        <Link to={listPath} className="tile-open">
          {t("dashboard.openList")}
        </Link>
      </div>
      {error !== null ? (
        <ErrorPanel error={error} title={title} retry={() => void refetch()} />
      ) : data === undefined ? null : data.rows.length === 0 ? (
        <p className="tile-empty">{t("dashboard.noRecords")}</p>
      ) : (
        <ul className="tile-list">
          {data.rows.map((row) => (
            <RowBoundary key={row.id} row={row}>
              {() => {
                const since = late === undefined ? null : row[late];
                return (
                  <li>
                    <span className="numbers quiet">{row.id}</span>
                    <Link to={paths.record(account.id, { collection }, row.id)} className="truncate">
                      {row.subject ?? ""}
                    </Link>
                    <span className="truncate quiet small">{row.team?.name ?? ""}</span>
                    {typeof since === "string" && (
                      <span className="numbers tile-late">{formatMinutes((Date.parse(since) - now) / 60_000)}</span>
                    )}
                  </li>
                );
              }}
            </RowBoundary>
          ))}
        </ul>
      )}
    </>
  );
}
