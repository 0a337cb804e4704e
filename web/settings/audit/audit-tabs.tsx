import { useQuery } from "@tanstack/react-query";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { PageTabs } from "../../parts/page-tabs.tsx";
import type { TrailCounts } from "../../wire.ts";
import { settingsPaths } from "../settings-paths.ts";

type AuditTab = "changes" | "security" | "signIns" | "access";

/** Changes of records, and what concerns signing in, tokens and roles, each with how much there is. */
export function AuditTabs({ active }: { active: AuditTab }) {
  const { account, isAdministrator } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "trail counts"],
    queryFn: () => administrationApi(account.id).trailCounts(),
    enabled: isAdministrator,
    retry: false,
  });
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
  const counted = tabs.map((tab) => ({ ...tab, ...countOf(data, tab.key) }));
  return <PageTabs label={t("settings.audit")} tabs={counted} active={active} />;
}

const countOf = (counts: TrailCounts | undefined, tab: AuditTab) =>
  counts === undefined ? {} : { count: counts[tab], most: counts.most };
