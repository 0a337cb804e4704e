import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { type CurrentAccount, useCurrentAccount } from "../../api/current-account.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { isAdministrator, may } from "../../base/permissions.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { t } from "../../languages/index.ts";
import { lowerFirst, typeLabel } from "../../languages/labels.ts";
import { leaveIfConnected } from "../../live/navigation-guard.ts";
import { buildSettingsPages } from "../../parts/settings-index/settings-pages.ts";

/** Records that an administrator creates when setting an account up: the palette opens their forms directly. */
const collections = [
  ...["teams", "people", "organizations", "sites", "calendars", "holidays", "services", "service_instances"],
  ...["service_offerings", "slas", "request_templates", "workflow_templates", "webhooks"],
];

/** The pages of the settings and the forms of new records in the palette; loaded after the page, like the palette itself. */
export function SettingsActions() {
  const here = useCurrentAccount();
  const pages = buildSettingsPages(here).map(
    ({ id, label, lead, icon, path }): Action => ({
      id: `settings.${id}`,
      name: label,
      group: "settings",
      words: lead,
      icon,
      run: () => (path.startsWith("/a/") ? navigateTo(path) : void leaveIfConnected(() => location.assign(path))),
    }),
  );
  useActions([...pages, ...buildNewActions(here)]);
  return null;
}

/** Names with their addresses. */
const pairs = (...all: [name: string, path: string][]) => all;

function buildNewActions({ account }: CurrentAccount): Action[] {
  const forms = collections.flatMap((collection): [string, string][] => {
    const type = findEntryByCollection(collection);
    if (type === undefined || !may(account.roles, "create", type)) return [];
    return [[t("list.new", { type: lowerFirst(typeLabel(type)) }), paths.create(account.id, type)]];
  });
  const rules = findEntryByCollection("automation_rules");
  const others: [string, string][] = [
    ...(rules !== undefined && may(account.roles, "create", rules)
      ? pairs([t("rules.new"), paths.newRule(account.id, "request")])
      : []),
    ...(isAdministrator(account.roles)
      ? pairs(
          [t("applications.new"), paths.newApplication(account.id)],
          [t("exchange.new"), paths.newImport(account.id)],
          [t("sandbox.title"), paths.sandboxes(account.id)],
        )
      : []),
  ];
  return [...forms, ...others].map(([name, path]) => ({
    ...{ id: `new.${path}`, name, group: "settings", icon: IconPlus },
    run: () => navigateTo(path),
  }));
}
