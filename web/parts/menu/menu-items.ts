import IconBook from "@tabler/icons-react/dist/esm/icons/IconBook.mjs";
import IconBug from "@tabler/icons-react/dist/esm/icons/IconBug.mjs";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconChartBar from "@tabler/icons-react/dist/esm/icons/IconChartBar.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconDevices from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import IconInbox from "@tabler/icons-react/dist/esm/icons/IconInbox.mjs";
import IconLayoutDashboard from "@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs";
import IconLayoutKanban from "@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs";
import IconMessage2 from "@tabler/icons-react/dist/esm/icons/IconMessage2.mjs";
import IconSettings from "@tabler/icons-react/dist/esm/icons/IconSettings.mjs";
import IconShieldCheck from "@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs";
import IconSitemap from "@tabler/icons-react/dist/esm/icons/IconSitemap.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import IconTimeline from "@tabler/icons-react/dist/esm/icons/IconTimeline.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import type { CurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { may } from "../../base/permissions.ts";
import { type PersonKind, personKind } from "../../base/person-kind.ts";
import { getPreference } from "../../base/preferences.ts";
import { findEntryByCollection, type TypeEntry } from "../../base/type-index.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import { type MessageKey, t } from "../../languages/index.ts";

// The items of the menu, by the kind of person. Items that the person can't read are left out.

export type MenuItem = {
  id: string;
  label: string;
  icon: IconComponent;
  path: string;
  /** further addresses of the item: its tabs */
  also: readonly string[];
  keys?: string | undefined;
};

type Declaration = {
  label: MessageKey;
  icon: IconComponent;
  /** a collection and its neighboring tabs; or a separate page */
  collections?: readonly string[];
  page?: (account: string) => string;
  keys?: string;
};

// biome-ignore format: a table keeps its columns
const declarations = {
  dashboard: { label: "menu.dashboard", icon: IconLayoutDashboard, page: (account: string) => paths.dashboard(account), keys: "g d" },
  inbox:     { label: "menu.inbox",     icon: IconInbox,        page: (account: string) => paths.inbox(account), keys: "g i" },
  requests:  { label: "menu.requests",  icon: IconMessage2,     collections: ["requests"],                       keys: "g r" },
  problems:  { label: "menu.problems",  icon: IconBug,          collections: ["problems", "risks"],              keys: "g p" },
  workflows: { label: "menu.workflows", icon: IconSitemap,      collections: ["workflows", "tasks", "releases"], keys: "g w" },
  projects:  { label: "menu.projects",  icon: IconTimeline,     collections: ["projects", "project_tasks"] },
  boards:    { label: "menu.boards",    icon: IconLayoutKanban, collections: ["agile_boards"],                   keys: "g b" },
  assets:    { label: "menu.assets",    icon: IconDevices,      collections: ["cis", "products", "contracts"],   keys: "g a" },
  services:  { label: "menu.services",  icon: IconStack2,       collections: ["services", "service_instances", "slas"] },
  knowledge: { label: "menu.knowledge", icon: IconBook,         collections: ["knowledge_articles"],             keys: "g k" },
  reports:   { label: "menu.reports",   icon: IconChartBar,     page: (account: string) => paths.reports(account) },
  people:    { label: "menu.people",    icon: IconUsers,        collections: ["people", "teams", "organizations", "sites"] },
  audit:     { label: "menu.audit",     icon: IconShieldCheck,  collections: ["audit_lines"] },
  settings:  { label: "menu.settings",  icon: IconSettings,     page: (account: string) => paths.settings(account), keys: "g s" },
  mine:      { label: "menu.myRequests", icon: IconMessage2,    collections: ["requests"],                       keys: "g r" },
} satisfies Record<string, Declaration>;
type ItemName = keyof typeof declarations;

// biome-ignore format: one line per kind
const menus: Readonly<Record<PersonKind, readonly ItemName[]>> = {
  specialist:    ["inbox", "requests", "problems", "workflows", "projects", "boards", "assets", "knowledge", "people"],
  manager:       ["dashboard", "inbox", "requests", "problems", "workflows", "projects", "services", "reports", "people"],
  administrator: ["settings", "requests", "workflows", "assets", "services", "knowledge", "people", "reports"],
  auditor:       ["audit", "requests", "workflows", "assets", "people"],
  requester:     ["mine", "knowledge"],
};

/** Items whose page doesn't exist yet. */
const absent: readonly ItemName[] = [];

/** In the panel behind "More", unless the menu itself contains them. */
const more: readonly string[] = [
  ...["tasks", "releases", "risks", "services", "slas", "broadcasts", "contracts", "reservations", "shop_articles"],
  ...["shop_order_lines", "time_entries", "surveys", "product_backlogs", "sprints"],
];

function build(name: ItemName, { account }: CurrentAccount): MenuItem[] {
  const item: Declaration = declarations[name];
  const { label, icon, keys } = item;
  if (item.page !== undefined)
    return [{ id: name, label: t(label), icon, path: item.page(account.id), also: [], keys }];
  const readable = readableTypes(item.collections ?? [], account.roles).map((type) => paths.list(account.id, type));
  const [path, ...also] = readable;
  return path === undefined ? [] : [{ id: name, label: t(label), icon, path, also, keys }];
}

const readableTypes = (collections: readonly string[], roles: readonly string[]): TypeEntry[] =>
  collections.flatMap((collection) => {
    const type = findEntryByCollection(collection);
    return type !== undefined && may(roles, "read", type) ? [type] : [];
  });

export const buildMenu = (here: CurrentAccount): MenuItem[] =>
  menus[personKind(here.account.roles, here.account.manages_team)].flatMap((name) =>
    absent.includes(name) ? [] : build(name, here),
  );

/** The pages behind "More" that aren't lists of a type, unless the menu itself contains them. */
export const buildMorePages = (here: CurrentAccount): Pick<MenuItem, "label" | "icon" | "path">[] => {
  const { account } = here;
  if (personKind(account.roles, account.manages_team) === "requester") return [];
  const shown = new Set(buildMenu(here).map(({ path }) => path));
  return [
    ...build("dashboard", here),
    ...build("reports", here),
    { label: t("menu.timesheet"), icon: IconClock, path: paths.timesheet(account.id) },
    { label: t("menu.calendar"), icon: IconCalendar, path: paths.calendar(account.id) },
  ].filter(({ path }) => !shown.has(path));
};

/** The record types behind "More". */
export const buildMore = (here: CurrentAccount): TypeEntry[] => {
  const shown = new Set(buildMenu(here).map(({ path }) => path));
  return readableTypes(more, here.account.roles).filter((type) => !shown.has(paths.list(here.account.id, type)));
};

export const isAt = (pathname: string, { path, also }: Pick<MenuItem, "path" | "also">): boolean =>
  [path, ...also].some((each) => pathname === each || pathname.startsWith(`${each}/`));

/** A person's start page in an account. */
export function startPath(here: CurrentAccount): string {
  const { account } = here;
  const menu = buildMenu(here);
  const chosen = menu.find(({ id }) => id === getPreference("startPage")) ?? menu[0];
  return chosen?.path ?? paths.security(account.id);
}
