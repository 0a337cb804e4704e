import { Button } from "@mantine/core";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { dashboardQueries } from "../../queries/dashboards.ts";
import { type RangeName, ranges } from "./range.ts";

// The range and the team of all tiles of a page.

export type Team = { id: number; name: string };

export function useTeams(): readonly Team[] {
  const { api } = useCurrentAccount();
  return useQuery(dashboardQueries.teams(api)).data ?? [];
}

type RangeProps = { range: RangeName; isShort: boolean; onChange(range: RangeName): void };

/** `isShort`: for the bar of a phone */
export const RangeMenu = ({ range, isShort, onChange }: RangeProps) => (
  <MenuButton
    position="bottom-end"
    entries={ranges.map((each) => ({
      is: "item",
      key: each,
      label: t("dashboard.lastDays", { count: Number(each) }),
      chosen: each === range,
      run: () => onChange(each),
    }))}
  >
    {(opening) => (
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon of={IconCalendar} />}
        rightSection={<Icon of={IconChevronDown} size={14} />}
        {...(isShort ? { px: 8, "aria-label": t("dashboard.lastDays", { count: Number(range) }) } : {})}
        {...opening}
      >
        {t(isShort ? "dashboard.shortDays" : "dashboard.lastDays", { count: Number(range) })}
      </Button>
    )}
  </MenuButton>
);

type TeamProps = {
  teams: readonly Team[];
  team: string | undefined;
  isShort: boolean;
  onChange(team: string | undefined): void;
};

/** `isShort`: for the bar of a phone, where the icon's color shows whether a team is chosen */
export const TeamMenu = ({ teams, team, isShort, onChange }: TeamProps) => (
  <MenuButton
    position="bottom-end"
    width={240}
    entries={[
      {
        is: "item",
        key: "all",
        label: t("dashboard.allTeams"),
        chosen: team === undefined,
        run: () => onChange(undefined),
      },
      { is: "divider" },
      ...teams.map(({ id, name }) => ({
        is: "item" as const,
        key: String(id),
        label: name,
        chosen: String(id) === team,
        run: () => onChange(String(id)),
      })),
    ]}
  >
    {(opening) => {
      const name =
        team === undefined
          ? t("dashboard.allTeams")
          : (teams.find(({ id }) => String(id) === team)?.name ?? `#${team}`);
      if (isShort)
        return (
          <Button
            variant={team === undefined ? "default" : "light"}
            size="sm"
            px={6}
            aria-label={name}
            {...tip(name)}
            {...opening}
          >
            <Icon of={IconUsersGroup} />
          </Button>
        );
      return (
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconUsersGroup} />}
          rightSection={<Icon of={IconChevronDown} size={14} />}
          {...opening}
        >
          <span className="truncate dashboard-team">{name}</span>
        </Button>
      );
    }}
  </MenuButton>
);
