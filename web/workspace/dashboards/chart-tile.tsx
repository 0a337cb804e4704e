import { ActionIcon } from "@mantine/core";
import IconChartBar from "@tabler/icons-react/dist/esm/icons/IconChartBar.mjs";
import IconCopy from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconFileTypeCsv from "@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import IconPhoto from "@tabler/icons-react/dist/esm/icons/IconPhoto.mjs";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import { useState } from "react";
import { navigateTo } from "../../base/history.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst } from "../../languages/labels.ts";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { buildChartData, type ChartData, formatValue, isEmpty } from "./chart-data.ts";
import { ChartTable } from "./chart-table.tsx";
import { Bars, Shares } from "./charts/bars.tsx";
import { Columns } from "./charts/columns.tsx";
import { Donut } from "./charts/donut.tsx";
import { Matrix } from "./charts/matrix.tsx";
import { download, drawPng, writeCsv, writeTabs } from "./export-chart.ts";
import { buildSummaryQuery, type Choice } from "./range.ts";
import { useSummaries } from "./summary.ts";
import type { ChartTile as Tile } from "./tile.ts";

type Props = {
  tile: Tile;
  title: string;
  choice: Choice;
  /** all tiles show their tables */
  isTable: boolean;
  rangeLabel: string;
  pathOf(collection: string, query: string | null): string | null;
};

const nameCollection = (collection: string): string => {
  const entry = findEntryByCollection(collection);
  return entry === undefined ? collection : lowerFirst(collectionLabel(entry));
};

/** A chart with its table, its definition and its exports. */
export function ChartTile({ tile, title, choice, isTable, rangeLabel, pathOf }: Props) {
  const [ownTable, setOwnTable] = useState<boolean | null>(null);
  const [explained, setExplained] = useState(false);
  const [shownAs, setShownAs] = useState(isTable);
  // The key for all tables overrides the choices for single ones.
  if (shownAs !== isTable) {
    setShownAs(isTable);
    setOwnTable(null);
  }
  const asTable = ownTable ?? isTable;
  const { summaries, error, refetch } = useSummaries(
    tile.sources.map((source) => ({ collection: source.collection, query: buildSummaryQuery(source, choice) })),
  );
  const data = summaries === null ? null : buildChartData(tile, summaries, choice);
  const canExport = data !== null && !isEmpty(data);
  return (
    <>
      <div className="tile-head">
        <h2 className="tile-title">{title}</h2>
        {tile.kind === "columns" && data !== null && data.series.length > 1 && <Legend data={data} />}
        <span className="tile-tools">
          <ActionIcon
            variant="subtle"
            c="var(--text-2)"
            size={26}
            aria-label={t(asTable ? "chart.asChartOf" : "chart.asTableOf", { title })}
            aria-pressed={asTable}
            {...tip(t(asTable ? "chart.asChart" : "chart.asTable"))}
            onClick={() => setOwnTable(!asTable)}
          >
            <Icon of={asTable ? IconChartBar : IconTable} />
          </ActionIcon>
          <MenuButton
            position="bottom-end"
            entries={[
              {
                is: "item",
                key: "how",
                label: t("chart.how"),
                icon: IconInfoCircle,
                chosen: explained,
                run: () => setExplained((before) => !before),
              },
              {
                is: "item",
                key: "copy",
                label: t("chart.copy"),
                icon: IconCopy,
                disabled: !canExport,
                run: async () => {
                  if (data === null) return;
                  await navigator.clipboard.writeText(writeTabs(data, title));
                  showMessage(t("chart.copied"));
                },
              },
              {
                is: "item",
                key: "csv",
                label: t("chart.csv"),
                icon: IconFileTypeCsv,
                disabled: !canExport,
                run: () =>
                  data !== null &&
                  // The byte order mark identifies the file as UTF-8 to spreadsheets.
                  download(`${title}.csv`, new Blob(["\uFEFF", writeCsv(data, title)], { type: "text/csv" })),
              },
              {
                is: "item",
                key: "png",
                label: t("chart.png"),
                icon: IconPhoto,
                disabled: !canExport,
                run: async () => {
                  if (data === null) return;
                  const show = (value: number | null) => formatValue(value, tile.format);
                  download(`${title}.png`, await drawPng(data, title, rangeLabel, show));
                },
              },
            ]}
          >
            {(opening) => (
              <ActionIcon
                variant="subtle"
                c="var(--text-2)"
                size={26}
                aria-label={t("chart.more", { title })}
                {...opening}
              >
                <Icon of={IconDots} />
              </ActionIcon>
            )}
          </MenuButton>
        </span>
      </div>
      {explained && <p className="tile-explanation">{t(tile.explanation)}</p>}
      {error !== null ? (
        <ErrorPanel error={error} title={title} retry={refetch} />
      ) : data === null ? (
        <div className="tile-waiting-chart" />
      ) : isEmpty(data) ? (
        <p className="tile-empty">{t("dashboard.nothing")}</p>
      ) : (
        <Chart
          tile={tile}
          title={title}
          data={data}
          asTable={asTable}
          pathOf={(query) => pathOf(data.collection, query)}
        />
      )}
    </>
  );
}

type ChartProps = {
  tile: Tile;
  title: string;
  data: ChartData;
  asTable: boolean;
  pathOf(query: string | null): string | null;
};

function Chart({ tile, title, data, asTable, pathOf }: ChartProps) {
  if (tile.kind === "matrix") return <Matrix data={data} title={title} corner={t("chart.team")} pathOf={pathOf} />;
  if (asTable) return <ChartTable data={data} title={title} pathOf={pathOf} />;
  const open = (query: string) => {
    const path = pathOf(query);
    if (path !== null) navigateTo(path);
  };
  if (tile.kind === "columns") return <Columns data={data} title={title} onOpen={open} />;
  if (tile.kind === "bars") return <Bars data={data} pathOf={pathOf} />;
  if (tile.kind === "shares") return <Shares data={data} pathOf={pathOf} isBad={tile.isBad ?? false} />;
  return <Donut data={data} title={title} noun={nameCollection(data.collection)} pathOf={pathOf} />;
}

const Legend = ({ data }: { data: ChartData }) => (
  <ul className="tile-legend">
    {data.series.map((name, at) => (
      <li key={name}>
        <span className="chart-key" data-series={at} aria-hidden="true" />
        {name} <span className="numbers">{formatValue(data.totals[at]?.value ?? null, data.format)}</span>
      </li>
    ))}
  </ul>
);
