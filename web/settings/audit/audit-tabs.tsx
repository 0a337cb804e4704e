import { useQuery } from "@tanstack/react-query";
import type { TrailCounts } from "../../../records/answers/settings.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { t } from "../../languages/index.ts";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { journalQueries } from "../../queries/settings/audit.ts";

type AuditTab = "changes" | "security" | "signIns" | "access";

/** Record changes, and events of signing in, tokens and roles, each with its count. */
export function AuditTabs({ active }: { active: AuditTab }) {
  const { account, api, isAdministrator } = useCurrentAccount();
  const { data } = useQuery({ ...journalQueries.counts(api), enabled: isAdministrator });
  const trail = settingsPaths.trail(account.id);
  const tabs: { key: AuditTab; label: string; path: string }[] = [
    { key: "changes", label: t("audit.changes"), path: settingsPaths.audit(account.id) },
    ...(isAdministrator
      ? ([
          { key: "security", label: t("trail.title"), path: trail },
          { key: "signIns", label: t("trail.group.signIns"), path: `${trail}?tab=signIns` },
          { key: "access", label: t("trail.group.access"), path: `${trail}?tab=access` },
        ] as const)
      : []),
  ];
  const counted = tabs.map((tab) => ({ ...tab, ...getCount(data, tab.key) }));
  return <PageTabs label={t("settings.audit")} tabs={counted} active={active} />;
}

const getCount = (counts: TrailCounts | undefined, tab: AuditTab) =>
  counts === undefined ? {} : { count: counts[tab === "signIns" ? "sign_ins" : tab], most: counts.most };
