import { Button } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { useNow } from "../../parts/now.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { useFrameSize } from "../shell/use-frame-size.ts";
import { longDay } from "./chart-data.ts";
import type { TileCommands } from "./edit/edit-frame.tsx";
import { isFigure, type TileChoice, type Tiles } from "./edit/tile-choice.ts";
import { RangeMenu, type Team, TeamMenu } from "./page-choice.tsx";
import { PlacedTile } from "./placed-tile.tsx";
import { buildRange, parseRange, ranges } from "./range.ts";

const ScheduleDialog = lazyDialog(async () => (await import("./schedule-dialog.tsx")).default);

type OtherPage = { name: string; label: string; second: string | undefined; path: string; isStandard: boolean };

type Props = {
  /** the name in a schedule: "dashboards/service-desk" */
  report: string;
  name: string;
  title: string;
  lead: string | null;
  sharing: string | null;
  tiles: Tiles;
  /** null: read mode */
  commands: TileCommands | null;
  /** the buttons in edit mode */
  bar: ReactNode;
  /** the actions in read mode; the first ones have their own buttons if there is room */
  actions: readonly Action[];
  others: readonly OtherPage[];
  trail: readonly { label: string; path: string }[];
  teams: readonly Team[];
  children?: ReactNode;
};

/** A page of tiles that share one range and one team, except for tiles with their own. */
export function TilesPage(props: Props) {
  const { report, name, title, lead, sharing, tiles, commands, bar, actions, others, trail, teams, children } = props;
  const { account } = useCurrentAccount();
  const navigate = useNavigate();
  const search: { range?: string; team?: string } = useSearch({ strict: false });
  const now = useNow();
  const { phone } = useFrameSize();
  const [isTable, setIsTable] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const rangeName = parseRange(search.range);
  const range = buildRange(rangeName, now);
  const team = search.team !== undefined && /^\d{1,9}$/.test(search.team) ? search.team : undefined;
  const change = (part: { range?: string; team?: string | undefined }) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...part }), replace: true });
  const chosenTeam = teams.find(({ id }) => String(id) === team);
  const rangeLabel = `${longDay(range.from)} – ${longDay(range.until)}${chosenTeam === undefined ? "" : ` · ${chosenTeam.name}`}`;
  const pathOf = (collection: string, query: string | null): string | null =>
    query === null ? null : `${paths.list(account.id, { collection })}?${query === "" ? "state=" : query}`;
  const isRead = commands === null;
  const tableAction: Action = {
    id: "dashboard.tables",
    name: t(isTable ? "chart.asChart" : "chart.asTable"),
    group: "list",
    keys: "t",
    icon: IconTable,
    when: isRead,
    run: () => setIsTable((before) => !before),
  };
  const rangeActions = ranges.map(
    (each): Action => ({
      id: `dashboard.range.${each}`,
      name: t("dashboard.lastDays", { count: Number(each) }),
      group: "list",
      when: isRead,
      run: () => change({ range: each }),
    }),
  );
  const scheduleAction: Action = {
    id: "dashboard.schedule",
    name: t("schedule.action"),
    group: "list",
    icon: IconMail,
    words: "mail report weekly daily monthly",
    when: isRead,
    run: () => setScheduling(true),
  };
  useActions([tableAction, scheduleAction, ...rangeActions]);
  const draw = (list: readonly TileChoice[]) =>
    list.map((placed, at) => (
      <PlacedTile
        key={placed.id}
        placed={placed}
        choice={{ range, team }}
        teams={teams}
        now={now}
        isTable={isTable}
        rangeLabel={rangeLabel}
        commands={commands}
        place={at + 1}
        count={list.length}
        pathOf={pathOf}
      />
    ));
  const figures = tiles.filter(isFigure);
  const all = [tableAction, scheduleAction, ...actions];
  // A phone has room for the range and the team; the rest is in the menu.
  const [apart, gathered] = phone ? [[], all] : [all.slice(0, 3), all.slice(3)];
  return (
    <div className="page">
      <PageBar
        className="tiles-bar"
        title={title}
        trail={trail}
        actions={
          <>
            {isRead && (
              <>
                <RangeMenu range={rangeName} isShort={phone} onChange={(wanted) => change({ range: wanted })} />
                <TeamMenu {...{ teams, team }} isShort={phone} onChange={(wanted) => change({ team: wanted })} />
                {apart.map((action, at) => (
                  <ActionButton key={action.id} action={action} compact={at < 2} bare />
                ))}
                <MoreMenu actions={gathered} />
              </>
            )}
            {bar}
          </>
        }
      >
        {others.length > 0 && isRead && <PageMenu others={others} name={name} />}
        {sharing !== null && !phone && <Chip tone="grey">{sharing}</Chip>}
        {isRead && lead !== null && sharing === null && <span className="quiet truncate dashboard-lead">{lead}</span>}
        {!isRead && <span className="quiet truncate dashboard-lead">{t("dashboard.editHint")}</span>}
      </PageBar>
      <div className="page-body">
        <div className="dashboard">
          {figures.length > 0 && <div className="dashboard-figures">{draw(figures)}</div>}
          <div className="dashboard-grid">{draw(tiles.filter((each) => !isFigure(each)))}</div>
          {tiles.length === 0 && <p className="tile-empty">{t("dashboard.noTiles")}</p>}
        </div>
      </div>
      {children}
      {isScheduling && (
        <ScheduleDialog report={report} title={title} team={chosenTeam ?? null} onClose={() => setScheduling(false)} />
      )}
    </div>
  );
}

function MoreMenu({ actions }: { actions: readonly Action[] }) {
  const offered = actions.filter(({ when }) => when !== false);
  if (offered.length === 0) return null;
  return (
    <MenuButton
      position="bottom-end"
      entries={offered.map(({ id, name, icon, run }) => ({
        ...{ is: "item", key: id, label: name, run },
        ...(icon === undefined ? {} : { icon }),
      }))}
    >
      {(opening) => (
        <Button variant="default" size="sm" px={6} aria-label={t("dashboard.more")} {...opening}>
          <Icon of={IconDots} />
        </Button>
      )}
    </MenuButton>
  );
}

/** The standard dashboards, then the custom ones. */
function PageMenu({ others, name }: { others: readonly OtherPage[]; name: string }) {
  const list = (isStandard: boolean) =>
    others
      .filter((each) => each.isStandard === isStandard)
      .map(({ name: each, label, second, path }) => ({
        is: "item" as const,
        key: each,
        label,
        path,
        chosen: each === name,
        ...(second === undefined ? {} : { second }),
      }));
  const own = list(false);
  return (
    <MenuButton
      position="bottom-start"
      width={260}
      entries={[...list(true), ...(own.length === 0 ? [] : [{ is: "divider" as const }, ...own])]}
    >
      {(opening) => (
        <Button variant="subtle" color="gray" size="xs" px={6} aria-label={t("dashboard.others")} {...opening}>
          <Icon of={IconChevronDown} />
        </Button>
      )}
    </MenuButton>
  );
}
