import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import { useLocation } from "@tanstack/react-router";
import { useContext } from "react";
import { CurrentAccountContext } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { paths } from "../../paths.ts";
import { buildSettingsPages, settingsGroups } from "../../settings/home/settings-pages.ts";
import { isAt } from "./menu-items.ts";
import { MenuLink } from "./menu-link.tsx";

/** The side menu inside the settings. */
export function SettingsMenu({ collapsed }: { collapsed: boolean }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  if (here === null) return null;
  const pages = buildSettingsPages(here);
  return (
    <>
      <MenuLink
        label={t("settings.back")}
        icon={IconArrowLeft}
        path={paths.home(here.account.id)}
        collapsed={collapsed}
      />
      <MenuLink
        label={t("menu.settings")}
        icon={IconSettings}
        path={paths.settings(here.account.id)}
        collapsed={collapsed}
        active={pathname === paths.settings(here.account.id)}
      />
      {settingsGroups.map((group) => {
        const shown = pages.filter((page) => page.group === group);
        if (shown.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
          <div role="group" aria-label={t(`settings.group.${group}`)} key={group}>
            <div className="menu-heading" aria-hidden="true">
              {t(`settings.group.${group}`)}
            </div>
            {shown.map((page) => (
              <MenuLink
                key={page.id}
                {...page}
                collapsed={collapsed}
                active={isAt(pathname, { path: page.path, also: [] })}
              />
            ))}
          </div>
        );
      })}
    </>
  );
}
