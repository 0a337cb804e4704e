import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconKeyboard from "@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs";
import IconLayoutSidebarLeftCollapse from "@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs";
import IconPin from "@tabler/icons-react/dist/esm/icons/IconPin.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useContext } from "react";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { type CurrentAccount, CurrentAccountContext } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { personKind } from "../../base/person-kind.ts";
import { getPreference, setPreference } from "../../base/preferences.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { showMessage, undoLatest } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { buildMenu, buildMore, buildMorePages } from "../../parts/menu/menu-items.ts";
import { typeIcon } from "../../parts/work/type-icon.tsx";
import { usePins } from "../../queries/kept/pins.ts";
import { newDialogs } from "./dialogs.ts";

type Openers = { openPalette(): void; openShortcuts(): void };

/** The actions of every page: navigation, a new request, search, undo, help. */
export function useShellActions({ openPalette, openShortcuts }: Openers): void {
  const here = useContext(CurrentAccountContext);
  const navigate = useNavigate();
  const { href } = useLocation();
  const { isPinned, toggle, isFull } = usePins();
  const pinned = isPinned(href);

  const newRequest = () => {
    const type = findEntryByCollection("requests");
    if (here === null || type === undefined) return;
    if (newDialogs.request === undefined) navigateTo(paths.create(here.account.id, type));
    else void navigate({ to: ".", search: (was: object) => ({ ...was, new: "request" }) });
  };
  const pinLabel = () => document.title.replace(/^\(\d+\) /, "").split(" · ")[0] ?? document.title;

  // biome-ignore format: a table keeps its columns
  const general: Action[] = [
    { id: "palette.open",   name: t("actions.palette"),   group: "general", keys: "mod+k", icon: IconSearch,   keysOnly: true, run: openPalette },
    { id: "request.new",    name: t("menu.newRequest"),   group: "general", keys: "c",     icon: IconPlus,     run: newRequest },
    { id: "help.shortcuts", name: t("actions.shortcuts"), group: "general", keys: "?",     icon: IconKeyboard, run: openShortcuts },
    { id: "undo",           name: t("toast.undo"),        group: "general", keys: "z",     icon: IconArrowBackUp, run: () => undoLatest() || showMessage(t("actions.nothingToUndo")) },
    { id: "menu.toggle",    name: t("actions.menu"),      group: "general", keys: "\\",    icon: IconLayoutSidebarLeftCollapse, run: () => setPreference("menuCollapsed", !getPreference("menuCollapsed")) },
    { id: "page.pin",       name: t(pinned ? "menu.unpin" : "menu.pin"), group: "general", icon: IconPin, when: pinned || !isFull, run: () => toggle(href, pinLabel()) },
  ];
  useActions(here === null ? general : [...general, ...buildGoActions(here)]);
}

function buildGoActions(here: CurrentAccount): Action[] {
  const { account } = here;
  const menu = buildMenu(here).map(
    ({ id, label, icon, path, keys }): Action => ({
      id: `go.${id}`,
      name: label,
      group: "go",
      keys,
      icon,
      run: () => navigateTo(path),
    }),
  );
  const more = buildMore(here).map(
    (type): Action => ({
      id: `go.${type.collection}`,
      name: collectionLabel(type),
      group: "go",
      icon: typeIcon(type.name),
      run: () => navigateTo(paths.list(account.id, type)),
    }),
  );
  const pages = buildMorePages(here).map(
    ({ label, icon, path }): Action => ({
      id: `go.${path}`,
      name: label,
      group: "go",
      icon,
      run: () => navigateTo(path),
    }),
  );
  const own: Action[] = [
    {
      id: "go.notifications",
      name: t("menu.notificationsPage"),
      group: "go",
      keys: "g n",
      icon: IconBell,
      run: () => navigateTo(paths.notifications(account.id)),
    },
    { id: "go.profile", name: t("app.profile"), group: "go", run: () => navigateTo(paths.profile(account.id)) },
    { id: "go.security", name: t("profile.title"), group: "go", run: () => navigateTo(paths.security(account.id)) },
  ];
  if (personKind(account.roles) === "requester") return [...menu, ...own];
  const home: Action = {
    id: "go.settings",
    name: t("menu.settings"),
    group: "go",
    keys: "g s",
    icon: IconSettings,
    run: () => navigateTo(paths.settings(account.id)),
  };
  const known = menu.some(({ id }) => id === "go.settings") ? [] : [home];
  return [...menu, ...pages, ...more, ...own, ...known];
}
