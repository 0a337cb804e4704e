import { Box, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { AddIcon } from "../../parts/icons.tsx";
import { Link } from "../../parts/link.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { paths } from "../../paths.ts";
import { settingsPaths } from "../settings-paths.ts";
import { listWebhookTabs } from "./all-deliveries.tsx";
import { StateBadge } from "./state-badge.tsx";

/** The webhooks of an account and how they are doing. */
export function WebhooksScreen() {
  const { account } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "webhooks"],
    queryFn: administrationApi(account.id).webhooks,
    refetchInterval: 10_000,
  });
  return (
    <div>
      <PageTabs label={t("webhooks.title")} tabs={listWebhookTabs(account.id)} active="webhooks" />
      <PageHeader
        title={t("webhooks.title")}
        lead={t("webhooks.lead", { account: account.name })}
        actions={
          <Button leftSection={<AddIcon size={16} />} {...linkTo(paths.create(account.id, webhookType))}>
            {t("webhooks.new")}
          </Button>
        }
      />
      <Box className="card">
        {error !== null ? (
          <ErrorMessage error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingSkeleton />
        ) : data.length === 0 ? (
          <EmptyState title={t("webhooks.none")} lead={t("webhooks.noneLead")} />
        ) : (
          <SimpleTable
            label={t("webhooks.title")}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                label: t("webhooks.name"),
                cell: ({ id, name }) => <Link to={settingsPaths.webhook(account.id, id)}>{name}</Link>,
              },
              { label: t("webhooks.event"), cell: ({ event }) => event },
              { label: t("webhooks.uri"), cell: ({ uri }) => uri },
              { label: t("webhooks.state"), cell: ({ state }) => <StateBadge state={state} /> },
              { label: t("webhooks.lastError"), cell: ({ last_error }) => last_error ?? "" },
              { label: t("webhooks.waiting"), cell: ({ waiting }) => waiting },
            ]}
          />
        )}
      </Box>
    </div>
  );
}
