import { Button } from "@mantine/core";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type CSSProperties, Suspense, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { paths } from "../../paths.ts";
import { longDay } from "./chart-data.ts";
import { ChartTile } from "./chart-tile.tsx";
import { dashboards, findDashboard, findReport, firstDashboard } from "./dashboards.ts";
import { FigureTile } from "./figure-tile.tsx";
import { ListTile } from "./list-tile.tsx";
import { buildRange, parseRange, ranges } from "./range.ts";
import { type TileName, tiles } from "./standard-tiles.ts";
import type { Dashboard, PlacedTile, Tile } from "./tile.ts";
import "../../styles/dashboards.css";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";

const ScheduleDialog = lazyPart(async () => (await import("./schedule-dialog.tsx")).default);

export function DashboardScreen() {
  const { key = firstDashboard } = useParams({ strict: false }) as { key?: string };
  const { account } = useCurrentAccount();
  const found = findDashboard(key);
  if (found === undefined) return <ErrorMessage error={new ApiError(404, "")} />;
  const others = Object.entries(dashboards).map(([name, { title }]) => ({
    name,
    label: t(title),
    path: paths.dashboard(account.id, name),
  }));
  return <TilesPage key={key} folder="dashboards" name={key} dashboard={found} others={others} trail={[]} />;
}

export function ReportScreen() {
  const { key = "" } = useParams({ strict: false }) as { key?: string };
  const { account } = useCurrentAccount();
  const found = findReport(key);
  if (found === undefined) return <ErrorMessage error={new ApiError(404, "")} />;
  const trail = [{ label: t("menu.reports"), path: paths.reports(account.id) }];
  return <TilesPage key={key} folder="reports" name={key} dashboard={found} others={[]} trail={trail} />;
}

type Props = {
  folder: "dashboards" | "reports";
  name: string;
  dashboard: Dashboard;
  others: readonly { name: string; label: string; path: string }[];
  trail: readonly { label: string; path: string }[];
};

function useTeams() {
  const { account, api } = useCurrentAccount();
  const query = { fields: "name", per_page: "100", sort: "name", state: "enabled" };
  const { data } = useQuery({
    queryKey: [account.id, "list", "/teams", query],
    queryFn: () => api.list("/teams", query),
    staleTime: 300_000,
  });
  return (data?.rows ?? []) as unknown as readonly { id: number; name: string }[];
}

/** A page of tiles, all of one range and one team. */
function TilesPage({ folder, name, dashboard, others, trail }: Props) {
  const { account } = useCurrentAccount();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { range?: string; team?: string };
  const now = useNow();
  const [isTable, setIsTable] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const teams = useTeams();
  const rangeName = parseRange(search.range);
  const range = buildRange(rangeName, now);
  const team = search.team !== undefined && /^\d{1,9}$/.test(search.team) ? search.team : undefined;
  const choice = { range, team };
  const change = (part: { range?: string; team?: string | undefined }) =>
    void navigate({ to: ".", search: ((before: object) => ({ ...before, ...part })) as never, replace: true });
  const chosenTeam = teams.find(({ id }) => String(id) === team);
  const teamName = chosenTeam?.name;
  const title = t(dashboard.title);
  const rangeLabel = `${longDay(range.from)} – ${longDay(range.until)}${teamName === undefined ? "" : ` · ${teamName}`}`;
  const pathOf = (collection: string, query: string | null): string | null =>
    query === null ? null : `${paths.list(account.id, { collection })}?${query === "" ? "state=" : query}`;
  const tableAction: Action = {
    id: "dashboard.tables",
    name: t(isTable ? "chart.asChart" : "chart.asTable"),
    group: "list",
    keys: "t",
    icon: IconTable,
    run: () => setIsTable((before) => !before),
  };
  const rangeActions = ranges.map(
    (each): Action => ({
      id: `dashboard.range.${each}`,
      name: t("dashboard.lastDays", { count: Number(each) }),
      group: "list",
      run: () => change({ range: each }),
    }),
  );
  const scheduleAction: Action = {
    id: "dashboard.schedule",
    name: t("schedule.action"),
    group: "list",
    icon: IconMail,
    words: "mail report weekly daily monthly",
    run: () => setScheduling(true),
  };
  useActions([tableAction, scheduleAction, ...rangeActions]);
  const placed = dashboard.tiles.map((each) => ({ ...each, definition: tiles[each.tile as TileName] }));
  const figures = placed.filter(({ definition }) => definition.kind === "figure");
  const charts = placed.filter(({ definition }) => definition.kind !== "figure");
  return (
    <div className="page">
      <PageBar
        className="dashboard-bar"
        title={title}
        trail={trail}
        actions={
          <>
            <MenuButton
              position="bottom-end"
              entries={ranges.map((each) => ({
                is: "item",
                key: each,
                label: t("dashboard.lastDays", { count: Number(each) }),
                chosen: each === rangeName,
                run: () => change({ range: each }),
              }))}
            >
              {(opening) => (
                <Button
                  variant="default"
                  size="sm"
                  leftSection={<Icon of={IconCalendar} />}
                  rightSection={<Icon of={IconChevronDown} size={14} />}
                  {...opening}
                >
                  {t("dashboard.lastDays", { count: Number(rangeName) })}
                </Button>
              )}
            </MenuButton>
            <MenuButton
              position="bottom-end"
              width={240}
              entries={[
                {
                  is: "item",
                  key: "all",
                  label: t("dashboard.allTeams"),
                  chosen: team === undefined,
                  run: () => change({ team: undefined }),
                },
                { is: "divider" },
                ...teams.map(({ id, name: label }) => ({
                  is: "item" as const,
                  key: String(id),
                  label,
                  chosen: String(id) === team,
                  run: () => change({ team: String(id) }),
                })),
              ]}
            >
              {(opening) => (
                <Button
                  variant="default"
                  size="sm"
                  leftSection={<Icon of={IconUsersGroup} />}
                  rightSection={<Icon of={IconChevronDown} size={14} />}
                  {...opening}
                >
                  <span className="truncate dashboard-team">
                    {team === undefined ? t("dashboard.allTeams") : (teamName ?? `#${team}`)}
                  </span>
                </Button>
              )}
            </MenuButton>
            <ActionButton action={tableAction} compact />
            <ActionButton action={scheduleAction} compact />
          </>
        }
      >
        {others.length > 0 && (
          <MenuButton
            position="bottom-start"
            entries={others.map(({ name: each, label, path }) => ({
              is: "item",
              key: each,
              label,
              path,
              chosen: each === name,
            }))}
          >
            {(opening) => (
              <Button variant="subtle" color="gray" size="xs" px={6} aria-label={t("dashboard.others")} {...opening}>
                <Icon of={IconChevronDown} />
              </Button>
            )}
          </MenuButton>
        )}
        <span className="quiet truncate dashboard-lead">{t(dashboard.lead)}</span>
      </PageBar>
      <div className="page-body">
        <div className="dashboard">
          {figures.length > 0 && (
            <div className="dashboard-figures">
              {figures.map(({ tile, definition }) => (
                <FigureTile key={tile} tile={definition as never} choice={choice} pathOf={pathOf} />
              ))}
            </div>
          )}
          <div className="dashboard-grid">
            {charts.map(({ tile, width, definition }) => (
              <PlacedChart key={tile} width={width} definition={definition}>
                {definition.kind === "list" ? (
                  <ListTile tile={definition} choice={choice} />
                ) : definition.kind === "figure" ? null : (
                  <ChartTile
                    tile={definition}
                    choice={choice}
                    isTable={isTable}
                    rangeLabel={rangeLabel}
                    pathOf={pathOf}
                  />
                )}
              </PlacedChart>
            ))}
          </div>
        </div>
      </div>
      {isScheduling && (
        <Suspense fallback={null}>
          <ScheduleDialog
            report={`${folder}/${name}`}
            title={title}
            team={chosenTeam ?? null}
            onClose={() => setScheduling(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

type PlacedProps = Pick<PlacedTile, "width"> & { definition: Tile; children: React.ReactNode };

const PlacedChart = ({ width = 12, definition, children }: PlacedProps) => (
  <section
    className="tile"
    aria-label={t(definition.title)}
    style={{ "--tile-width": width } as CSSProperties}
    data-kind={definition.kind}
  >
    {children}
  </section>
);
