import { Popover } from "@mantine/core";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import { useLocation } from "@tanstack/react-router";
import { useContext, useEffect, useEffectEvent, useRef } from "react";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { Anchor, useOpenedAfterMount } from "../../parts/menu/anchor.tsx";
import type { DropdownProps } from "../../parts/menu/menu-entry.ts";
import { buildMore, buildMorePages } from "../../parts/menu/menu-items.ts";
import { typeIcon } from "../../parts/work/type-icon.tsx";

/** The panel behind "More". */
export function MoreList({ anchor, opened, onClose }: DropdownProps) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  const shown = useOpenedAfterMount(opened);
  const openedAt = useRef(pathname);
  const close = useEffectEvent(onClose);
  // A new page closes the panel.
  useEffect(() => {
    if (openedAt.current !== pathname) close();
    openedAt.current = pathname;
  }, [pathname]);
  if (here === null) return null;
  return (
    <Popover
      opened={shown}
      onChange={(wanted) => !wanted && onClose()}
      position="right-start"
      shadow="md"
      width={420}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Anchor of={anchor} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t("menu.more")}>
        <ul className="more-list">
          {buildMorePages(here).map(({ label, icon, path }) => (
            <MoreLink key={path} label={label} icon={icon} path={path} />
          ))}
          {buildMore(here).map((type) => (
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
