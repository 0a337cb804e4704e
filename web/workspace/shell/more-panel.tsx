import { Popover } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import { useLocation } from "@tanstack/react-router";
import { useContext, useEffect, useState } from "react";
import { CurrentAccountContext } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { Icon, type IconComponent } from "../../parts/icon.tsx";
import { tip } from "../../parts/tip.tsx";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { paths } from "../../paths.ts";
import { buildMore } from "./menu-items.ts";

/** What is seldom wanted: a panel beside the menu. */
export function MorePanel({ collapsed }: { collapsed: boolean }) {
  const here = useContext(CurrentAccountContext);
  const [opened, setOpened] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the panel
  useEffect(() => setOpened(false), [pathname]);
  if (here === null) return null;
  const types = buildMore(here);
  return (
    <Popover opened={opened} onChange={setOpened} position="right-start" shadow="md" width={420} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="menu-link"
          onClick={() => setOpened((was) => !was)}
          {...(collapsed ? tip(t("menu.more")) : {})}
        >
          <Icon of={IconDots} />
          <span className="menu-label">{t("menu.more")}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("menu.more")}>
        <ul className="more-list">
          {types.map((type) => (
            <MoreLink
              key={type.name}
              label={collectionLabel(type)}
              icon={typeIcon(type.name)}
              path={paths.list(here.account.id, type)}
            />
          ))}
          <MoreLink label={t("settings.records")} icon={IconTable} path={paths.allRecords(here.account.id)} />
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function MoreLink({ label, icon, path }: { label: string; icon: IconComponent; path: string }) {
  const { component: _, ...link } = linkTo(path);
  return (
    <li>
      <a className="menu-link" {...link}>
        <Icon of={icon} />
        <span>{label}</span>
      </a>
    </li>
  );
}
