import IconMenu2 from "@tabler/icons-react/dist/esm/icons/IconMenu2.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useLocation } from "@tanstack/react-router";
import { useContext, useState } from "react";
import { runAction } from "../../actions/registry.ts";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { buildMenu, isAt } from "../../parts/menu/menu-items.ts";
import { useNewPage } from "./use-new-page.ts";

const MenuDrawer = lazyDialog(async () => (await import("./menu-drawer.tsx")).MenuDrawer);

/** On a phone: the two most important pages, New, Search, and the whole menu behind the last button. */
export function BottomBar({ notifications }: { notifications: number | null }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  const [opened, setOpened] = useState(false);
  useNewPage(() => setOpened(false));
  if (here === null) return null;
  const [first, second] = buildMenu(here);
  return (
    <>
      <nav className="bottom-bar" aria-label={t("app.navigation")}>
        {[first, second].map(
          (item) =>
            item !== undefined && (
              <BarLink
                key={item.id}
                label={item.label}
                icon={item.icon}
                path={item.path}
                active={isAt(pathname, item)}
              />
            ),
        )}
        <BarButton label={t("menu.new")} icon={IconPlus} onClick={() => runAction("request.new")} />
        <BarLink
          label={t("search.label")}
          icon={IconSearch}
          path={paths.search(here.account.id)}
          active={pathname === paths.search(here.account.id)}
        />
        <BarButton label={t("app.menu")} icon={IconMenu2} onClick={() => setOpened(true)} />
      </nav>
      {opened && <MenuDrawer onClose={() => setOpened(false)} notifications={notifications} />}
    </>
  );
}

type BarProps = { label: string; icon: IconComponent };

function BarLink({ label, icon, path, active }: BarProps & { path: string; active: boolean }) {
  const { component: _, ...link } = linkTo(path);
  return (
    <a className="bottom-item" {...link} {...(active ? { "aria-current": "page" as const } : {})}>
      <Icon of={icon} size={20} />
      <span className="truncate">{label}</span>
    </a>
  );
}

function BarButton({ label, icon, onClick }: BarProps & { onClick(): void }) {
  return (
    <button type="button" className="bottom-item" onClick={onClick}>
      <Icon of={icon} size={20} />
      <span className="truncate">{label}</span>
    </button>
  );
}
