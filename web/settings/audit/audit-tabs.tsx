import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { settingsPaths } from "../settings-paths.ts";

/** Changes of records, and what concerns signing in, tokens and roles. */
export function AuditTabs({ active }: { active: "changes" | "security" }) {
  const { account, isAdministrator } = useCurrentAccount();
  const tabs = [
    { key: "changes", label: t("audit.changes"), path: settingsPaths.audit(account.id) },
    ...(isAdministrator ? [{ key: "security", label: t("trail.title"), path: settingsPaths.trail(account.id) }] : []),
  ];
  return <PageTabs label={t("settings.audit")} tabs={tabs} active={active} />;
}
