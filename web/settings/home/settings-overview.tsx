import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconCalendarDue from "@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs";
import IconWebhook from "@tabler/icons-react/dist/esm/icons/IconWebhook.mjs";
import { useQuery } from "@tanstack/react-query";
import type { AttentionItem, SettingsOverview } from "../../../records/answers/settings.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { typeGroups } from "../../base/record-types.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import type { ToneName } from "../../base/tokens.ts";
import { findEntry } from "../../base/type-index.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { currentLocale, type MessageKey, t } from "../../languages/index.ts";
import { getSettingsPath, type SettingsPage } from "../../parts/settings-index/settings-pages.ts";
import { settingsHomeQueries } from "../../queries/settings/home.ts";

type CardProps = { page: SettingsPage; overview: SettingsOverview | undefined };

export function StateBadge({ page: { badge }, overview }: CardProps) {
  const count = badge === undefined ? 0 : (overview?.counts[badge.count] ?? 0);
  if (badge === undefined || count === 0) return null;
  return <Chip tone={badge.tone}>{t(badge.key, { count })}</Chip>;
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

/** The counts shown on cards, for administrators; undefined until they are loaded. */
export function useSettingsOverview(enabled: boolean): SettingsOverview | undefined {
  const { api } = useCurrentAccount();
  const { data } = useQuery({ ...settingsHomeQueries.overview(api), enabled });
  return data;
}

export function describeState({ id, state: counted }: SettingsPage, overview: SettingsOverview | undefined): string {
  if (id === "general" && overview?.account != null) return describeAccount(overview.account);
  if (id === "records") return t("overview.records", { count: countTypes() });
  if (counted === undefined || overview === undefined) return "";
  return counted.map((name) => t(`overview.count.${name}`, { count: overview.counts[name] ?? 0 })).join(" · ");
}

const countTypes = (): number => typeGroups.reduce((sum, { types }) => sum + types.length, 0);

type Look = { tone: ToneName; icon: IconComponent; key: MessageKey; type: string | null };
const looks: Readonly<Record<string, Look>> = {
  rule_failing: { key: "overview.rule_failing", tone: "red", icon: IconAlertCircle, type: "automation_rule" },
  webhook_off: { key: "overview.webhook_off", tone: "red", icon: IconWebhook, type: "webhook" },
  webhook_unverified: { key: "overview.webhook_unverified", tone: "yellow", icon: IconWebhook, type: "webhook" },
  webhook_twice: { key: "overview.webhook_twice", tone: "yellow", icon: IconWebhook, type: "webhook" },
  sla_ends: { key: "overview.sla_ends", tone: "yellow", icon: IconCalendarDue, type: "sla" },
  jobs_failed: { key: "overview.jobs_failed", tone: "red", icon: IconAlertCircle, type: null },
};

function pickPath(account: string, { kind, id }: AttentionItem): string {
  if (kind === "rule_failing" && id !== null) return settingsPaths.rule(account, id);
  const type = findEntry(looks[kind]?.type ?? "");
  return type === undefined || id === null ? getSettingsPath(account, "jobs") : paths.record(account, type, id);
}

/** Problems for the administrator: failing rules, disabled webhooks, expiring agreements. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const { account } = useCurrentAccount();
  const shown = items.flatMap((item) => {
    const look = looks[item.kind];
    return look === undefined ? [] : [{ item, look }];
  });
  if (shown.length === 0) return null;
  return (
    <ul className="attention" aria-label={t("overview.attention")}>
      {shown.map(({ item, look: { tone, icon, key } }) => {
        const { href, onClick } = linkTo(pickPath(account.id, item));
        const text = t(key, { name: item.name ?? "", count: item.count });
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
