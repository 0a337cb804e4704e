import { Button } from "@mantine/core";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import { tip } from "../../parts/tip.tsx";
import { type RangeName, ranges } from "./range.ts";

// The days and the team that all tiles of a page are about.

export type Team = { id: number; name: string };

export function useTeams(): readonly Team[] {
  const { account, api } = useCurrentAccount();
  const query = { fields: "name", per_page: "100", sort: "name", state: "enabled" };
  const { data } = useQuery({
    queryKey: [account.id, "list", "/teams", query],
    queryFn: () => api.list("/teams", query),
    staleTime: 300_000,
  });
  return (data?.rows ?? []) as unknown as readonly Team[];
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

/** `isShort`: for the bar of a phone, where the icon says by its colour whether one is chosen */
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
