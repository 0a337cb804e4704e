import { ActionIcon, Button } from "@mantine/core";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import { useLocation } from "@tanstack/react-router";
import { Suspense, useContext, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { runAction, useActions } from "../../actions/registry.ts";
import { CurrentAccountContext } from "../../api/current-account.ts";
import { useUnread } from "../../base/document-title.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { isAdministrator } from "../../base/permissions.ts";
import { personKind } from "../../base/person-kind.ts";
import { getSourceList } from "../../base/source-list.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { withWords } from "../../languages/labels.ts";
import { buildMenu, isAt } from "../../parts/menu/menu-items.ts";
import { AccountSwitcher } from "./account/account-switcher.tsx";
import { MenuLink } from "./menu-link.tsx";
import { MorePanel } from "./more-panel.tsx";
import { SearchBox } from "./search-box.tsx";
import { UserMenu } from "./user-menu/user-menu.tsx";

const Pinned = lazyPart(async () => (await import("./pinned.tsx")).default);
const FirstStepsMenu = lazyPart(
  async () => (await withWords(import("../../parts/first-steps/first-steps-menu.tsx"))).FirstStepsMenu,
);
const SettingsMenu = lazyPart(async () => (await import("./settings-menu.tsx")).SettingsMenu);

/** The menu at the side: account, new request, search, pages, pins, person. In the settings it lists their pages. */
export function SideMenu({ collapsed, notifications }: { collapsed: boolean; notifications: number | null }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  if (here === null) return null;
  const { account } = here;
  // Webhooks have record addresses, but their pages are part of the settings.
  const webhooks = paths.list(account.id, { collection: "webhooks" });
  const inSettings = isAt(pathname, { path: paths.settings(account.id), also: [webhooks] });
  const isRequester = personKind(account.roles) === "requester";
  const showsSettings = inSettings && !isRequester;
  return (
    <>
      <AccountSwitcher />
      {/* The settings menu has its own search in this place. */}
      {(!showsSettings || collapsed) && <TopRow collapsed={collapsed} />}
      <nav aria-label={t("app.navigation")} className="menu-main">
        {showsSettings ? (
          <Suspense fallback={null}>
            <SettingsMenu collapsed={collapsed} />
          </Suspense>
        ) : (
          <WorkMenu collapsed={collapsed} />
        )}
      </nav>
      <div className="menu-foot">
        {isAdministrator(account.roles) && (
          <Suspense fallback={null}>
            <FirstStepsMenu collapsed={collapsed} />
          </Suspense>
        )}
        {!inSettings && !isRequester && (
          <MenuLink
            label={t("menu.settings")}
            icon={IconSettings}
            path={paths.settings(account.id)}
            collapsed={collapsed}
          />
        )}
        <button
          type="button"
          className="menu-link"
          onClick={() => runAction("help.shortcuts")}
          {...(collapsed ? tip(t("menu.help")) : {})}
        >
          <Icon of={IconHelpCircle} />
          <span className="menu-label">{t("menu.help")}</span>
          <span className="menu-label menu-end">
            <Kbd keys="?" />
          </span>
        </button>
        <div className="menu-person-row">
          <UserMenu />
          {notifications !== null && (
            <ActionIcon
              variant="subtle"
              size={28}
              c="var(--text-2)"
              className="menu-bell"
              aria-label={t("menu.notifications", { count: notifications })}
              {...tip(t("menu.notifications", { count: notifications }))}
              {...linkTo(paths.notifications(account.id))}
            >
              <Icon of={IconBell} />
              {notifications > 0 && <span className="bell-dot" />}
            </ActionIcon>
          )}
        </div>
      </div>
    </>
  );
}

function WorkMenu({ collapsed }: { collapsed: boolean }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  const unread = useUnread();
  if (here === null) return null;
  // A record opened from a list belongs to that list, so the list's entry is marked.
  const place = getSourceList(pathname)?.path.replace(/\?.*/, "") ?? pathname;
  return (
    <>
      {buildMenu(here).map((item) => (
        <MenuLink
          key={item.id}
          {...item}
          collapsed={collapsed}
          active={isAt(place, item)}
          count={item.id === "inbox" ? unread : undefined}
        />
      ))}
      {personKind(here.account.roles) !== "requester" && <MorePanel collapsed={collapsed} />}
      {!collapsed && (
        <Suspense>
          <Pinned />
        </Suspense>
      )}
    </>
  );
}

/** "New request" and search. `/` turns the row into the search box synchronously, so that no key is lost. */
function TopRow({ collapsed }: { collapsed: boolean }) {
  const here = useContext(CurrentAccountContext);
  const { pathname } = useLocation();
  const [searching, setSearching] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onSearchPage = here !== null && pathname === paths.search(here.account.id);
  const search = () => {
    flushSync(() => setSearching(true));
    input.current?.select();
  };
  useActions([
    { id: "search.box", name: t("search.label"), group: "general", keys: "/", icon: IconSearch, run: search },
  ]);
  if (searching || onSearchPage)
    return (
      <div className="menu-top" data-searching>
        <SearchBox input={input} onLeave={() => setSearching(false)} />
      </div>
    );
  return (
    <div className="menu-top">
      {collapsed ? (
        <ActionIcon
          variant="default"
          size={32}
          aria-label={t("menu.newRequest")}
          {...tip(t("menu.newRequest"))}
          onClick={() => runAction("request.new")}
        >
          <Icon of={IconPlus} />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          size="sm"
          className="new-request"
          justify="space-between"
          leftSection={<Icon of={IconPlus} color="var(--accent)" />}
          rightSection={<Kbd keys="c" />}
          aria-keyshortcuts="c"
          onClick={() => runAction("request.new")}
        >
          {t("menu.newRequest")}
        </Button>
      )}
      <ActionIcon
        variant="default"
        size={collapsed ? 32 : 30}
        aria-label={t("search.label")}
        aria-keyshortcuts="/"
        {...tip(t("search.label"))}
        onClick={search}
      >
        <Icon of={IconSearch} />
      </ActionIcon>
    </div>
  );
}
