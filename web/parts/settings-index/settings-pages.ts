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
import type { CurrentAccount } from "../../api/current-account.ts";
import { joinPath, paths } from "../../base/paths.ts";
import { isAdministrator, may } from "../../base/permissions.ts";
import type { ToneName } from "../../base/tokens.ts";
import { findEntry, findEntryByCollection } from "../../base/type-index.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import { type MessageKey, t } from "../../languages/index.ts";

// Every page of the settings: their home, their menu, the search and the palette are derived from this table, and
// web/settings/settings-screens.tsx has a screen for each page with an address (docs/adding-a-screen.md). The texts of
// a page are settings.<id>, settings.<id>Lead and, for the search, settings.<id>Words.

export type SettingsGroup = "account" | "people" | "work" | "developers" | "data";

type CountName = MessageKey extends infer Key ? (Key extends `overview.count.${infer Name}` ? Name : never) : never;

type Declaration = {
  group: SettingsGroup;
  icon: IconComponent;
  /** below /a/<account>/settings/ */
  address?: string;
  /** a list of records, for people who may read it */
  collection?: string;
  /** a page outside the settings */
  path?: (account: string) => string;
  when?: (roles: readonly string[]) => boolean;
  /** single settings on the page, by their visible names: field labels and interface texts */
  finds?: { fields?: readonly string[]; messages?: readonly MessageKey[] };
  /** the counts shown on its card */
  state?: readonly CountName[];
  /** errors, next to the name on its card */
  badge?: { key: MessageKey; count: string; tone: ToneName };
};

const hasRole = (roles: readonly string[]): boolean => roles.length > 0;
const mayWriteRules = (roles: readonly string[]): boolean =>
  may(roles, "update", findEntry("automation_rule") ?? { name: "automation_rule", collection: "" });
const mayReadAudit = (roles: readonly string[]): boolean =>
  may(roles, "read", findEntry("audit_line") ?? { name: "audit_line", collection: "" });

const declarations = {
  general: {
    ...{ group: "account", icon: IconBuilding, address: "account", when: hasRole },
    finds: {
      fields: ["name", "currency", "locale", "time_zone", "time_format_24h", "start_of_week", "strong_privacy"],
    },
  },
  signIn: {
    ...{ group: "account", icon: IconLock, address: "sign-in", when: isAdministrator },
    finds: { messages: ["secondFactor.demand", "secondFactor.demandedRoles"] },
  },
  identityProviders: {
    ...{ group: "account", icon: IconUserShield, address: "identity-providers", when: isAdministrator },
    finds: { messages: ["providers.domains", "providers.claims", "providers.enforced", "providers.createPeople"] },
    state: ["identity_providers"],
  },
  mails: {
    ...{ group: "account", icon: IconMail, address: "mails", when: isAdministrator },
    state: ["mails"],
    badge: { key: "overview.mailsFailed", count: "mails_failed", tone: "orange" },
  },
  received: {
    ...{ group: "account", icon: IconMailOpened, address: "received-mails", when: isAdministrator },
    finds: {
      messages: [
        ...["policy.title", "policy.generate_new_requests", "policy.allowed_senders", "policy.replies_as_notes"],
        ...["policy.match_id_in_subject", "policy.create_people", "policy.days_after_completion", "policy.secret"],
      ],
    },
  },
  wordings: { group: "account", icon: IconMailCog, address: "mail-texts", when: isAdministrator },
  portal: {
    ...{ group: "account", icon: IconLifebuoy, address: "portal", when: isAdministrator },
    finds: {
      messages: ["portalSettings.greeting", "portalSettings.accent", "portalSettings.logo", "portalSettings.order"],
    },
  },
  calendars: {
    ...{ group: "account", icon: IconCalendarTime, collection: "calendars" },
    state: ["calendars", "holidays"],
  },
  sites: {
    ...{ group: "account", icon: IconMapPin, collection: "sites" },
    state: ["sites"],
  },
  people: {
    ...{ group: "people", icon: IconUsers, collection: "people" },
    state: ["people", "people_with_roles"],
  },
  teams: {
    ...{ group: "people", icon: IconUsersGroup, collection: "teams" },
    state: ["teams", "skill_pools"],
  },
  provisioning: { group: "people", icon: IconRefresh, address: "provisioning", when: isAdministrator },
  templates: {
    ...{ group: "work", icon: IconTemplate, collection: "request_templates" },
    state: ["request_templates", "workflow_templates"],
  },
  rules: {
    ...{ group: "work", icon: IconRobot, address: "rules", when: mayWriteRules },
    finds: { messages: ["ruleEditor.runLog", "ruleEditor.tryTitle"] },
    state: ["rules_on", "rules_off"],
    badge: { key: "overview.rulesFailing", count: "rules_failing", tone: "red" },
  },
  forms: {
    ...{ group: "work", icon: IconForms, collection: "ui_extensions" },
    state: ["forms"],
  },
  levels: {
    ...{ group: "work", icon: IconHeartHandshake, collection: "slas" },
    state: ["slas"],
  },
  webhooks: {
    ...{ group: "developers", icon: IconWebhook, collection: "webhooks" },
    finds: { messages: ["webhooks.deliveries", "sandbox.title", "webhookKeys.title"] },
    state: ["webhooks"],
    badge: { key: "overview.retrying", count: "webhooks_retrying", tone: "yellow" },
  },
  applications: {
    ...{ group: "developers", icon: IconApps, address: "applications", when: isAdministrator },
    finds: { messages: ["applications.pairs", "tryFlow.title"] },
    state: ["applications", "grants"],
  },
  tokens: { group: "developers", icon: IconKey, path: paths.tokens },
  audit: {
    ...{ group: "data", icon: IconHistory, address: "audit", when: mayReadAudit },
    state: ["changes"],
  },
  api: { group: "developers", icon: IconApi, address: "api" },
  requestLog: {
    ...{ group: "developers", icon: IconApi, address: "request-log" },
    finds: { messages: ["apiPages.limits"] },
    state: ["calls", "failed_calls"],
  },
  exchange: { group: "data", icon: IconDatabaseImport, address: "exchange", when: isAdministrator },
  privacy: { group: "data", icon: IconUserShield, address: "privacy", when: isAdministrator },
  trail: { group: "data", icon: IconShieldCheck, address: "trail", when: isAdministrator },
  jobs: { group: "data", icon: IconAlertTriangle, address: "failed-jobs", when: isAdministrator },
  archive: {
    ...{ group: "data", icon: IconArchive, address: "archive", when: isAdministrator },
    state: ["archived", "trashed"],
  },
  records: { group: "data", icon: IconTable, address: "records" },
} as const satisfies Record<string, Declaration>;

export type SettingsPageId = keyof typeof declarations;
type WithAddress<Id extends SettingsPageId> = (typeof declarations)[Id] extends { address: string } ? Id : never;
/** The pages that need a screen. */
export type ScreenPageId = { [Id in SettingsPageId]: WithAddress<Id> }[SettingsPageId];

export const getSettingsAddress = (page: ScreenPageId): string => declarations[page].address;

export const getSettingsPath = (account: string, page: ScreenPageId): string =>
  joinPath("a", account, "settings", getSettingsAddress(page));

export const settingsGroups: readonly SettingsGroup[] = ["account", "people", "work", "developers", "data"];

export type SettingsPage = Pick<Declaration, "group" | "icon" | "finds" | "state" | "badge"> & {
  id: SettingsPageId;
  label: string;
  lead: string;
  path: string;
};

const isPageId = (id: string): id is SettingsPageId => Object.hasOwn(declarations, id);
const pageIds = Object.keys(declarations).filter(isPageId);

/** The pages that the person may open. */
export const buildSettingsPages = ({ account }: CurrentAccount): SettingsPage[] =>
  pageIds.flatMap((id) => {
    const { address, collection, path, when, ...page }: Declaration = declarations[id];
    const type = collection === undefined ? undefined : findEntryByCollection(collection);
    if (when?.(account.roles) === false) return [];
    if (type !== undefined && !may(account.roles, "read", type)) return [];
    const at =
      type !== undefined
        ? paths.list(account.id, type)
        : address !== undefined
          ? joinPath("a", account.id, "settings", address)
          : path?.(account.id);
    return at === undefined
      ? []
      : [{ ...page, id, path: at, label: t(`settings.${id}`), lead: t(`settings.${id}Lead`) }];
  });
