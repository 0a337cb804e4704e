import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconApi from "@tabler/icons-react/dist/esm/icons/IconApi.mjs";
import IconApps from "@tabler/icons-react/dist/esm/icons/IconApps.mjs";
import IconArchive from "@tabler/icons-react/dist/esm/icons/IconArchive.mjs";
import IconBuilding from "@tabler/icons-react/dist/esm/icons/IconBuilding.mjs";
import IconCalendarTime from "@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs";
import IconDatabaseImport from "@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs";
import IconForms from "@tabler/icons-react/dist/esm/icons/IconForms.mjs";
import IconHeartHandshake from "@tabler/icons-react/dist/esm/icons/IconHeartHandshake.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconLifebuoy from "@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconMail from "@tabler/icons-react/dist/esm/icons/IconMail.mjs";
import IconMailCog from "@tabler/icons-react/dist/esm/icons/IconMailCog.mjs";
import IconMailOpened from "@tabler/icons-react/dist/esm/icons/IconMailOpened.mjs";
import IconMapPin from "@tabler/icons-react/dist/esm/icons/IconMapPin.mjs";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import IconRobot from "@tabler/icons-react/dist/esm/icons/IconRobot.mjs";
import IconShieldCheck from "@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs";
import IconTable from "@tabler/icons-react/dist/esm/icons/IconTable.mjs";
import IconTemplate from "@tabler/icons-react/dist/esm/icons/IconTemplate.mjs";
import IconUserShield from "@tabler/icons-react/dist/esm/icons/IconUserShield.mjs";
import IconUsers from "@tabler/icons-react/dist/esm/icons/IconUsers.mjs";
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs";
import IconWebhook from "@tabler/icons-react/dist/esm/icons/IconWebhook.mjs";
import type { CurrentAccount } from "../../current-account.ts";
import { type MessageKey, t } from "../../languages/index.ts";
import type { IconComponent } from "../../parts/icon.tsx";
import { paths } from "../../paths.ts";
import { isAdministrator, may } from "../../permissions.ts";
import { findEntry, findEntryByCollection } from "../../type-index.ts";
import { settingsPaths } from "../settings-paths.ts";

// Everything that can be set, by group: the home of the settings, their menu and the palette are made from this. A page is
// one line in the table below, its address in web/routes.tsx and web/paths.ts, and its words in
// web/languages/<language>/: settings.<id>, settings.<id>Lead and, for the search, settings.<id>Words. A line of state on its
// card is one line in settings-overview.tsx, single settings to be found are one in single-settings.ts.

export type SettingsGroup = "account" | "people" | "work" | "developers" | "data";
export type SettingsPage = {
  id: string;
  group: SettingsGroup;
  label: string;
  lead: string;
  icon: IconComponent;
  path: string;
};

type Declaration = {
  group: SettingsGroup;
  icon: IconComponent;
  /** a list of records, for whom may read it */
  collection?: string;
  path?: (account: string) => string;
  when?: (roles: readonly string[]) => boolean;
};

const hasRole = (roles: readonly string[]): boolean => roles.length > 0;
const mayWriteRules = (roles: readonly string[]): boolean =>
  may(roles, "update", findEntry("automation_rule") ?? { name: "automation_rule", collection: "" });
const mayReadAudit = (roles: readonly string[]): boolean =>
  may(roles, "read", findEntry("audit_line") ?? { name: "audit_line", collection: "" });

// biome-ignore format: a table keeps its columns
const declarations = {
  general:      { group: "account",    icon: IconBuilding,       path: settingsPaths.accountSettings, when: hasRole },
  signIn:       { group: "account",    icon: IconLock,           path: settingsPaths.signInPolicy,    when: isAdministrator },
  identityProviders: { group: "account", icon: IconUserShield,   path: settingsPaths.identityProviders, when: isAdministrator },
  mails:        { group: "account",    icon: IconMail,           path: settingsPaths.mails,           when: isAdministrator },
  received:     { group: "account",    icon: IconMailOpened,     path: settingsPaths.receivedMails,   when: isAdministrator },
  wordings:     { group: "account",    icon: IconMailCog,        path: settingsPaths.mailWordings,    when: isAdministrator },
  portal:       { group: "account",    icon: IconLifebuoy,       path: settingsPaths.portalSettings,  when: isAdministrator },
  calendars:    { group: "account",    icon: IconCalendarTime,   collection: "calendars" },
  sites:        { group: "account",    icon: IconMapPin,         collection: "sites" },
  people:       { group: "people",     icon: IconUsers,          collection: "people" },
  teams:        { group: "people",     icon: IconUsersGroup,     collection: "teams" },
  provisioning: { group: "people",     icon: IconRefresh,        path: settingsPaths.provisioning,    when: isAdministrator },
  templates:    { group: "work",       icon: IconTemplate,       collection: "request_templates" },
  rules:        { group: "work",       icon: IconRobot,          path: paths.rules,           when: mayWriteRules },
  forms:        { group: "work",       icon: IconForms,          collection: "ui_extensions" },
  levels:       { group: "work",       icon: IconHeartHandshake, collection: "slas" },
  webhooks:     { group: "developers", icon: IconWebhook,        collection: "webhooks" },
  applications: { group: "developers", icon: IconApps,           path: settingsPaths.applications,    when: isAdministrator },
  tokens:       { group: "developers", icon: IconKey,            path: paths.tokens },
  audit:        { group: "data",       icon: IconHistory,        path: settingsPaths.audit,           when: mayReadAudit },
  api:          { group: "developers", icon: IconApi,            path: settingsPaths.apiReference },
  requestLog:   { group: "developers", icon: IconApi,            path: paths.requestLog },
  exchange:     { group: "data",       icon: IconDatabaseImport, path: settingsPaths.exchange,        when: isAdministrator },
  privacy:      { group: "data",       icon: IconUserShield,     path: settingsPaths.privacy,         when: isAdministrator },
  trail:        { group: "data",       icon: IconShieldCheck,    path: settingsPaths.trail,           when: isAdministrator },
  jobs:         { group: "data",       icon: IconAlertTriangle,  path: settingsPaths.deadJobs,        when: isAdministrator },
  archive:      { group: "data",       icon: IconArchive,        path: settingsPaths.archive,         when: isAdministrator },
  records:      { group: "data",       icon: IconTable,          path: paths.allRecords },
} satisfies Record<string, Declaration>;

export const settingsGroups: readonly SettingsGroup[] = ["account", "people", "work", "developers", "data"];

/** The pages that somebody may open. */
export function buildSettingsPages({ account }: CurrentAccount): SettingsPage[] {
  return Object.entries<Declaration>(declarations).flatMap(([id, { group, icon, collection, path, when }]) => {
    const type = collection === undefined ? undefined : findEntryByCollection(collection);
    if (when?.(account.roles) === false) return [];
    if (type !== undefined && !may(account.roles, "read", type)) return [];
    const address = type === undefined ? path?.(account.id) : paths.list(account.id, type);
    if (address === undefined) return [];
    const words = { label: t(`settings.${id}` as MessageKey), lead: t(`settings.${id}Lead` as MessageKey) };
    return [{ id, group, icon, path: address, ...words }];
  });
}
