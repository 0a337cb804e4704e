import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type InboxTab, liveApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { SlaChip } from "../../parts/work/sla-chip.tsx";
import { paths } from "../../paths.ts";

/** Why there is nothing, and what the teams have next. */
export function InboxEmpty({ tab, isFiltered }: { tab: InboxTab; isFiltered: boolean }) {
  const { account } = useCurrentAccount();
  const isMine = tab === "mine" && !isFiltered;
  const teams = useQuery({
    queryKey: [account.id, "inbox-next", "my_teams"],
    queryFn: () => liveApi(account.id).inbox("my_teams", ""),
    enabled: isMine,
  });
  const next = teams.data?.items[0];
  if (isFiltered) return <EmptyState title={t("inbox.empty.filtered")} lead={t("inbox.empty.filteredLead")} />;
  return (
    <EmptyState
      title={t(`inbox.empty.${tab}`)}
      {...(next === undefined
        ? {}
        : {
            lead: (
              <>
                {t("inbox.empty.next", { subject: next.subject })}{" "}
                <SlaChip target={next.next_target_at} status={next.status} />
              </>
            ),
          })}
    >
      {next !== undefined && (
        <Button variant="default" {...linkTo(paths.inbox(account.id, "my_teams"))}>
          {t("inbox.tab.my_teams")}
        </Button>
      )}
    </EmptyState>
  );
}
