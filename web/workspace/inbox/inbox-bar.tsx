import { ActionIcon, Button, Menu, Popover, TextInput } from "@mantine/core";
import IconAdjustmentsHorizontal from "@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs";
import IconArrowsSort from "@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import type { InboxTab } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { useInboxCounts } from "../../live/inbox-counts.ts";
import { Icon } from "../../parts/icon.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { paths } from "../../paths.ts";
import { setPreference, usePreference } from "../../preferences.ts";
import { type Grouping, groupings } from "./inbox-groups.ts";

export const tabs: readonly InboxTab[] = ["mine", "my_teams", "unassigned", "approvals", "watching"];

type Props = {
  tab: InboxTab;
  filter: string;
  onFilter(text: string): void;
  filterOpen: boolean;
  onFilterOpen(open: boolean): void;
  grouping: Grouping;
  onGrouping(grouping: Grouping): void;
};

const mark = (chosen: boolean) => ({
  rightSection: chosen ? <Icon of={IconCheck} /> : null,
  ...(chosen ? { "aria-current": "true" as const } : {}),
});

export function InboxBar({ tab, filter, onFilter, filterOpen, onFilterOpen, grouping, onGrouping }: Props) {
  const density = usePreference("density");
  const actions = (
    <>
      <Popover opened={filterOpen} onChange={onFilterOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            variant="default"
            size="sm"
            leftSection={<Icon of={IconFilter} />}
            rightSection={<Kbd keys="f" />}
            aria-keyshortcuts="f"
            className="inbox-tool"
            data-active={filter !== "" || undefined}
            onClick={() => onFilterOpen(!filterOpen)}
          >
            {filter === "" ? t("inbox.filter") : filter}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <TextInput
            data-autofocus
            type="search"
            label={t("inbox.filterLabel")}
            value={filter}
            onChange={(event) => onFilter(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && onFilterOpen(false)}
          />
        </Popover.Dropdown>
      </Popover>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            className="inbox-tool inbox-grouping"
            leftSection={<Icon of={IconArrowsSort} />}
            rightSection={<Icon of={IconChevronDown} size={14} />}
          >
            {t(`inbox.by.${grouping}`)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("inbox.groupBy")}</Menu.Label>
          {groupings.map((each) => (
            <Menu.Item key={each} onClick={() => onGrouping(each)} {...mark(each === grouping)}>
              {t(`inbox.by.${each}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t("inbox.display")} data-tip={t("inbox.display")}>
            <Icon of={IconAdjustmentsHorizontal} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("inbox.density")}</Menu.Label>
          {(["compact", "comfortable"] as const).map((each) => (
            <Menu.Item key={each} onClick={() => setPreference("density", each)} {...mark(each === density)}>
              {t(`inbox.density.${each}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
  return (
    <PageBar
      title={t("inbox.title")}
      windowTitle={t("inbox.windowTitle", { tab: t(`inbox.tab.${tab}`) })}
      actions={actions}
    >
      <InboxTabs tab={tab} />
    </PageBar>
  );
}

const shownCount = (count: number): string => (count >= 1000 ? "999+" : String(count));

function InboxTabs({ tab }: { tab: InboxTab }) {
  const { account } = useCurrentAccount();
  const counts = useInboxCounts();
  return (
    <nav className="inbox-tabs" aria-label={t("inbox.tabs")}>
      {tabs.map((each) => {
        const { component: _, ...link } = linkTo(paths.inbox(account.id, each));
        const count = each === "watching" ? 0 : (counts?.[each] ?? 0);
        return (
          <a key={each} className="inbox-tab" {...link} aria-current={each === tab ? "page" : undefined}>
            {t(`inbox.tab.${each}`)}
            {count > 0 && <span className="inbox-tab-count numbers">{shownCount(count)}</span>}
          </a>
        );
      })}
    </nav>
  );
}
