import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import { useLocation } from "@tanstack/react-router";
import { useContext } from "react";
import { useActions } from "../../actions/registry.ts";
import { type CurrentAccount, CurrentAccountContext } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { isAt } from "../../parts/menu/menu-items.ts";
import { findSettings } from "../../parts/settings-index/find-settings.ts";
import { buildSettingsPages, settingsGroups } from "../../parts/settings-index/settings-pages.ts";
import { useLinkSearch } from "../../parts/settings-index/use-link-search.ts";
import { MenuLink } from "./menu-link.tsx";

/** The side menu inside the settings: the way back, a search over pages and single settings, and the pages. */
export function SettingsMenu({ collapsed }: { collapsed: boolean }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  const { text, setText, input, container, onInputKeyDown, onLinkKeyDown } = useLinkSearch<HTMLDivElement>();
  const isHome = here !== null && pathname === paths.settings(here.account.id);
  useActions([
    {
      ...{ id: "settings.findInMenu", name: t("settings.findShort"), group: "settings", keys: "/", icon: IconSearch },
      // The home of the settings has its own search, which includes records.
      when: !collapsed && !isHome,
      run: () => input.current?.select(),
    },
  ]);
  if (here === null) return null;
  const wanted = collapsed ? "" : text.trim();
  return (
    <>
      {collapsed ? (
        <>
          <MenuLink label={t("settings.back")} icon={IconArrowLeft} path={paths.home(here.account.id)} collapsed />
          <MenuLink
            label={t("menu.settings")}
            icon={IconSettings}
            path={paths.settings(here.account.id)}
            collapsed
            active={isHome}
          />
        </>
      ) : (
        <>
          <Head account={here.account.id} isHome={isHome} />
          <search className="searchbox settings-search">
            <span className="search-field">
              <Icon of={IconSearch} />
              <input
                ref={input}
                type="search"
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                onKeyDown={onInputKeyDown}
                aria-label={t("settings.findShort")}
                placeholder={t("settings.findShort")}
                maxLength={100}
              />
              {text === "" && !isHome && <Kbd keys="/" />}
            </span>
          </search>
        </>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the links inside */}
      <div ref={container} onKeyDown={onLinkKeyDown}>
        {wanted === "" ? (
          <Pages here={here} pathname={pathname} collapsed={collapsed} />
        ) : (
          <SearchResults here={here} text={wanted} onOpen={() => setText("")} />
        )}
      </div>
    </>
  );
}

function Head({ account, isHome }: { account: string; isHome: boolean }) {
  const back = linkTo(paths.home(account));
  const home = linkTo(paths.settings(account));
  return (
    <div className="settings-menu-head">
      <a
        className="settings-menu-back"
        href={back.href}
        onClick={back.onClick}
        aria-label={t("settings.back")}
        {...tip(t("settings.back"))}
      >
        <Icon of={IconArrowLeft} />
      </a>
      <a href={home.href} onClick={home.onClick} {...(isHome ? { "aria-current": "page" as const } : {})}>
        {t("menu.settings")}
      </a>
    </div>
  );
}

type PagesProps = { here: CurrentAccount; pathname: string; collapsed: boolean };

function Pages({ here, pathname, collapsed }: PagesProps) {
  const pages = buildSettingsPages(here);
  return settingsGroups.map((group) => {
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
  });
}

/** A single setting is listed with its page. */
function SearchResults({ here, text, onOpen }: { here: CurrentAccount; text: string; onOpen(): void }) {
  const found = findSettings(here, text);
  if (found.length === 0) return <p className="menu-nothing">{t("form.nothingFound")}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: clicks bubble up from the links
    <div onClick={onOpen}>
      {found.map(({ page, setting }) => (
        <MenuLink
          key={`${page.id} ${setting}`}
          label={setting ?? page.label}
          icon={page.icon}
          path={page.path}
          end={setting === null ? undefined : <span className="menu-end quiet truncate">{page.label}</span>}
        />
      ))}
    </div>
  );
}
