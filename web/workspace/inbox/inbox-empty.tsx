import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxTab } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { SlaChip } from "../../parts/work/sla-chip.tsx";
import { inboxQueries } from "../../queries/workspace/inbox.ts";

/** The reason why there is nothing, and the next items of the teams. */
export function InboxEmpty({ tab, isFiltered }: { tab: InboxTab; isFiltered: boolean }) {
  const { account, api } = useCurrentAccount();
  const isMine = tab === "mine" && !isFiltered;
  const teams = useQuery({ ...inboxQueries.next(api), enabled: isMine });
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
