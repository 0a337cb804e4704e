import { ActionIcon, Button } from "@mantine/core";
import IconAdjustmentsHorizontal from "@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs";
import IconArrowsSort from "@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxTab } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { setPreference, usePreference } from "../../base/preferences.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { useInboxCounts } from "../../live/inbox-counts.ts";
import { MenuButton } from "../../parts/menu/menu-button.tsx";
import type { MenuEntry } from "../../parts/menu/menu-entry.ts";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { type Grouping, groupings } from "./inbox-groups.ts";

export const tabs: readonly InboxTab[] = ["mine", "my_teams", "unassigned", "approvals", "watching"];

type Props = {
  tab: InboxTab;
  filter: string;
  onFilter(text: string): void;
  filterOpen: boolean;
  onFilterOpen(open: boolean): void;
  /** returns to the rows */
  onFilterDone(): void;
  grouping: Grouping;
  onGrouping(grouping: Grouping): void;
};

export function InboxBar(props: Props) {
  const { tab, grouping, onGrouping } = props;
  const density = usePreference("density");
  const groupingEntries: MenuEntry[] = [
    { is: "heading", label: t("inbox.groupBy") },
    ...groupings.map(
      (each): MenuEntry => ({
        is: "item",
        key: each,
        label: t(`inbox.by.${each}`),
        chosen: each === grouping,
        run: () => onGrouping(each),
      }),
    ),
  ];
  const densityEntries: MenuEntry[] = [
    { is: "heading", label: t("inbox.density") },
    ...(["compact", "comfortable"] as const).map(
      (each): MenuEntry => ({
        is: "item",
        key: each,
        label: t(`inbox.density.${each}`),
        chosen: each === density,
        run: () => setPreference("density", each),
      }),
    ),
  ];
  const actions = (
    <>
      <Filter {...props} />
      <MenuButton entries={groupingEntries} position="bottom-end">
        {(opening) => (
          <Button
            variant="default"
            size="sm"
            className="inbox-tool inbox-grouping"
            leftSection={<Icon of={IconArrowsSort} />}
            rightSection={<Icon of={IconChevronDown} size={14} />}
            {...opening}
          >
            {t(`inbox.by.${grouping}`)}
          </Button>
        )}
      </MenuButton>
      <MenuButton entries={densityEntries} position="bottom-end">
        {(opening) => (
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t("inbox.display")}
            data-tip={t("inbox.display")}
            {...opening}
          >
            <Icon of={IconAdjustmentsHorizontal} />
          </ActionIcon>
        )}
      </MenuButton>
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

const focusOnMount = (input: HTMLInputElement | null): void => input?.focus();

/** The button becomes the field synchronously, so that no key is lost. */
function Filter({ filter, onFilter, filterOpen, onFilterOpen, onFilterDone }: Props) {
  if (!filterOpen)
    return (
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon of={IconFilter} />}
        rightSection={<Kbd keys="f" />}
        aria-keyshortcuts="f"
        className="inbox-tool"
        data-active={filter !== "" || undefined}
        onClick={() => onFilterOpen(true)}
      >
        {filter === "" ? t("inbox.filter") : filter}
      </Button>
    );
  return (
    <span className="search-field inbox-filter">
      <Icon of={IconFilter} />
      <input
        ref={focusOnMount}
        type="search"
        aria-label={t("inbox.filterLabel")}
        placeholder={t("inbox.filterLabel")}
        value={filter}
        onChange={(event) => onFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          if (event.key === "Escape") onFilter("");
          onFilterDone();
        }}
        onBlur={() => onFilterOpen(false)}
      />
    </span>
  );
}

function InboxTabs({ tab }: { tab: InboxTab }) {
  const { account } = useCurrentAccount();
  const counts = useInboxCounts();
  const shown = tabs.map((each) => ({
    key: each,
    label: t(`inbox.tab.${each}`),
    path: paths.inbox(account.id, each),
    count: each === "watching" ? 0 : (counts?.[each] ?? 0),
  }));
  return <PageTabs label={t("inbox.tabs")} tabs={shown} active={tab} />;
}
