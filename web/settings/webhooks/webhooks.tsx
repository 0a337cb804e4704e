import { Button } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQuery } from "@tanstack/react-query";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { listWebhookTabs } from "./all-deliveries.tsx";
import { DeliveryFigures, useDeliveryStatistics } from "./delivery-figures.tsx";
import { StateBadge } from "./state-badge.tsx";
import { readOrigin } from "./webhook-head.tsx";
import "../../styles/settings/developers.css";
import "../../styles/settings/webhook.css";

/** The figures take one call per receiver: beyond this number, the others are shown on the page of deliveries. */
const mostFigures = 5;

/** The account's webhooks and their health, grouped by receiver. */
export function WebhooksScreen() {
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery({ ...webhookQueries.list(api), refetchInterval: 10_000 });
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={webhookType} />;
  const receivers = [...Map.groupBy(data ?? [], ({ uri }) => readOrigin(uri))];
  return (
    <div className="page">
      <PageBar
        title={t("webhooks.title")}
        actions={
          <Button size="sm" leftSection={<Icon of={IconPlus} />} {...linkTo(paths.create(account.id, webhookType))}>
            {t("webhooks.new")}
          </Button>
        }
      >
        <PageTabs label={t("webhooks.title")} tabs={listWebhookTabs(account.id)} active="webhooks" />
      </PageBar>
      <div className="page-body sandbox-page">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={6} />
        ) : data.length === 0 ? (
          <EmptyState title={t("webhooks.none")} lead={t("webhooks.noneLead")} />
        ) : (
          receivers.map(([receiver, webhooks], index) => (
            <section key={receiver} className="sandbox-card" aria-label={receiver}>
              <div className="webhook-head">
                <h2>
                  <Link to={`${settingsPaths.allDeliveries(account.id)}?${new URLSearchParams({ receiver })}`}>
                    {receiver}
                  </Link>
                </h2>
                {index < mostFigures && <ReceiverFigures receiver={receiver} />}
              </div>
              <WebhookTable webhooks={webhooks} receiver={receiver} />
            </section>
          ))
        )}
      </div>
    </div>
  );
}

const ReceiverFigures = ({ receiver }: { receiver: string }) => (
  <DeliveryFigures figures={useDeliveryStatistics({ receiver })} />
);

function WebhookTable({ webhooks, receiver }: { webhooks: readonly Webhook[]; receiver: string }) {
  const { account } = useCurrentAccount();
  return (
    <table className="log-table webhook-table">
      <caption className="spoken">{t("webhooks.title")}</caption>
      <thead>
        <tr>
          <th>{t("webhooks.name")}</th>
          <th>{t("webhooks.state")}</th>
          <th className="log-wide">{t("webhooks.event")}</th>
          <th className="log-wide">{t("webhooks.uri")}</th>
          <th className="log-wide">{t("webhooks.waiting")}</th>
          <th className="log-wide">{t("webhooks.lastError")}</th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map(({ id, name, event, uri, state, waiting, last_error }) => (
          <tr key={id}>
            <td>
              <Link to={settingsPaths.webhook(account.id, id)}>{name}</Link>
            </td>
            <td>
              <StateBadge state={state} />
            </td>
            <td className="log-wide">
              <code>{event}</code>
            </td>
            <td className="log-wide quiet">{uri.startsWith(receiver) ? uri.slice(receiver.length) || "/" : uri}</td>
            <td className="log-wide numbers">{waiting}</td>
            <td className="log-wide bad">{last_error ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
