import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconCalendarDue from "@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs";
import IconWebhook from "@tabler/icons-react/dist/esm/icons/IconWebhook.mjs";
import { useQuery } from "@tanstack/react-query";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { formatNumber } from "../../formats.ts";
import { linkTo } from "../../history.ts";
import { currentLocale, type MessageKey, t } from "../../languages/index.ts";
import { Chip } from "../../parts/chip.tsx";
import { Icon, type IconComponent } from "../../parts/icon.tsx";
import { paths } from "../../paths.ts";
import { typeGroups } from "../../record-types.ts";
import type { ToneName } from "../../tokens.ts";
import { findEntry } from "../../type-index.ts";
import type { AttentionItem, SettingsOverview } from "../../wire.ts";
import { settingsPaths } from "../settings-paths.ts";

/** What the cards say of themselves: the message, and the counts that fill it. One line per card. */
// biome-ignore format: a table keeps its columns
const stateLines: Readonly<Record<string, { key: MessageKey; counts: readonly string[] }>> = {
  people:       { key: "overview.people",       counts: ["people", "people_with_roles"] },
  teams:        { key: "overview.teams",        counts: ["teams", "skill_pools"] },
  calendars:    { key: "overview.calendars",    counts: ["calendars", "holidays"] },
  sites:        { key: "overview.sites",        counts: ["sites"] },
  templates:    { key: "overview.templates",    counts: ["request_templates", "workflow_templates"] },
  rules:        { key: "overview.rules",        counts: ["rules_on", "rules_off"] },
  forms:        { key: "overview.forms",        counts: ["forms"] },
  levels:       { key: "overview.levels",       counts: ["slas"] },
  webhooks:     { key: "overview.webhooks",     counts: ["webhooks"] },
  applications: { key: "overview.applications", counts: ["applications", "grants"] },
  mails:        { key: "overview.mails",        counts: ["mails"] },
  identityProviders: { key: "overview.providers", counts: ["identity_providers"] },
  requestLog:   { key: "overview.calls",        counts: ["calls", "failed_calls"] },
  audit:        { key: "overview.changes",      counts: ["changes"] },
  archive:      { key: "overview.archive",      counts: ["archived", "trashed"] },
};

/** What went wrong stands beside the name of a card. */
// biome-ignore format: a table keeps its columns
const badges: Readonly<Record<string, { key: MessageKey; count: string; tone: ToneName }>> = {
  mails:    { key: "overview.mailsFailed",  count: "mails_failed",      tone: "orange" },
  rules:    { key: "overview.rulesFailing", count: "rules_failing",     tone: "red" },
  webhooks: { key: "overview.retrying",     count: "webhooks_retrying", tone: "yellow" },
};

export function StateBadge({ page, overview }: { page: string; overview: SettingsOverview | undefined }) {
  const badge = badges[page];
  const count = badge === undefined ? 0 : (overview?.counts[badge.count] ?? 0);
  if (badge === undefined || count === 0) return null;
  return <Chip tone={badge.tone}>{t(badge.key, { count, number: formatNumber(count) })}</Chip>;
}

/** "Amsterdam · English · EUR" */
const describeAccount = ({ time_zone, locale, currency }: NonNullable<SettingsOverview["account"]>): string =>
  [time_zone, nameLanguage(locale), currency.toUpperCase()].join(" · ");

function nameLanguage(locale: string): string {
  try {
    return new Intl.DisplayNames([currentLocale()], { type: "language" }).of(locale.replace(/@.*$/, "")) ?? locale;
  } catch {
    return locale;
  }
}

/** Counts that say how a card is, for administrators; undefined until they are known. */
export function useSettingsOverview(enabled: boolean): SettingsOverview | undefined {
  const { account } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "settings overview"],
    queryFn: () => administrationApi(account.id).settingsOverview(),
    enabled,
    retry: false,
  });
  return data;
}

export function describeState(page: string, overview: SettingsOverview | undefined): string {
  if (page === "general" && overview?.account != null) return describeAccount(overview.account);
  if (page === "records") return t("overview.records", { a: formatNumber(countTypes()) });
  const line = stateLines[page];
  if (line === undefined || overview === undefined) return "";
  const values = line.counts.map((name, at) => [
    String.fromCharCode(97 + at),
    formatNumber(overview.counts[name] ?? 0),
  ]);
  return t(line.key, { ...Object.fromEntries(values), count: overview.counts[line.counts[0] ?? ""] ?? 0 });
}

const countTypes = (): number => typeGroups.reduce((sum, { types }) => sum + types.length, 0);

type Look = { tone: ToneName; icon: IconComponent; type: string | null };
const looks: Readonly<Record<string, Look>> = {
  rule_failing: { tone: "red", icon: IconAlertCircle, type: "automation_rule" },
  webhook_off: { tone: "red", icon: IconWebhook, type: "webhook" },
  webhook_unverified: { tone: "yellow", icon: IconWebhook, type: "webhook" },
  webhook_twice: { tone: "yellow", icon: IconWebhook, type: "webhook" },
  sla_ends: { tone: "yellow", icon: IconCalendarDue, type: "sla" },
  jobs_failed: { tone: "red", icon: IconAlertCircle, type: null },
};

function pickPath(account: string, { kind, id }: AttentionItem): string {
  if (kind === "rule_failing" && id !== null) return settingsPaths.rule(account, id);
  const type = findEntry(looks[kind]?.type ?? "");
  return type === undefined || id === null ? settingsPaths.deadJobs(account) : paths.record(account, type, id);
}

/** What an administrator should look at: failing rules, webhooks that are off, agreements that end. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const { account } = useCurrentAccount();
  const shown = items.filter(({ kind }) => looks[kind] !== undefined);
  if (shown.length === 0) return null;
  return (
    <ul className="attention" aria-label={t("overview.attention")}>
      {shown.map((item) => {
        const { tone, icon } = looks[item.kind] as Look;
        const { href, onClick } = linkTo(pickPath(account.id, item));
        const text = t(`overview.${item.kind}` as MessageKey, { name: item.name ?? "", count: item.count });
        return (
          <li key={`${item.kind} ${item.id}`} data-tone={tone}>
            <Icon of={icon} />
            <span>{text}</span>
            <a href={href} onClick={onClick} aria-label={t("overview.lookAt", { what: text })}>
              {t("overview.look")}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
