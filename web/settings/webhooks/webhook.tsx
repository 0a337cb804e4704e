import { Button } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconSend from "@tabler/icons-react/dist/esm/icons/IconSend.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { webhookPolicy } from "../../../records/settings/webhook-policy.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import type { Webhook } from "../../api/webhooks.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { AuditTrail } from "../../parts/records/audit-trail.tsx";
import { RecordActions } from "../../parts/records/record-actions.tsx";
import { RecordDetails } from "../../parts/records/record-details.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useRecord } from "../../queries/index.ts";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { readLink } from "../read-link.ts";
import { useDeliveryStatistics } from "./delivery-figures.tsx";
import { StateBadge } from "./state-badge.tsx";
import { DeliveryFilters, useWebhookAddress, WebhookDeliveries } from "./webhook-deliveries.tsx";
import { isTwin, WebhookHead } from "./webhook-head.tsx";
import { PolicyCard } from "./webhook-keys.tsx";
import "../../styles/settings/developers.css";
import "../../styles/settings/webhook.css";

const listTabs = (account: string, id: number) => [
  { key: "deliveries", label: t("webhooks.deliveries"), path: settingsPaths.webhook(account, id) },
  { key: "settings", label: t("webhookOverview.settings"), path: settingsPaths.webhookTab(account, id, "settings") },
  { key: "signature", label: t("webhookOverview.signature"), path: settingsPaths.webhookTab(account, id, "signature") },
  { key: "sandbox", label: t("sandbox.title"), path: paths.sandboxes(account) },
  { key: "history", label: t("ci.history"), path: settingsPaths.webhookTab(account, id, "history") },
];

/** One webhook: its state, its recent results, and all messages sent; its fields, its key and its changes. */
export function WebhookScreen({ id }: { id: number }) {
  const { account, api, may } = useCurrentAccount();
  const [{ tab = "deliveries" }] = useWebhookAddress();
  const figures = useDeliveryStatistics({ webhook_id: String(id) });
  const record = useRecord(webhookType, String(id));
  const { data, error, refetch } = useQuery(webhookQueries.one(api, id));
  const failure = record.error ?? error;
  if (failure instanceof ApiError && failure.status === 403) return <Forbidden type={webhookType} />;
  if (failure !== null) return <ErrorPanel error={failure} retry={() => void refetch()} />;
  if (data === undefined || record.data === undefined) return <SkeletonRows rows={10} />;
  const policy = readLink(record.data.webhook_policy)?.id ?? null;
  return (
    <div className="page">
      <PageBar
        className="webhook-bar"
        title={data.name}
        trail={[{ label: t("webhooks.title"), path: settingsPaths.webhooks(account.id) }]}
        actions={
          <>
            <TestButton id={id} />
            <Button
              variant="default"
              size="sm"
              leftSection={<Icon of={IconPencil} />}
              {...linkTo(paths.edit(account.id, webhookType, id))}
            >
              {t("record.edit")}
            </Button>
            <RecordActions type={webhookType} row={record.data} name={data.name} />
          </>
        }
      >
        <StateBadge state={data.state} />
      </PageBar>
      <WebhookHead webhook={data} policy={policy} figures={figures} />
      <WebhookProblems webhook={data} />
      <div className="webhook-tabs">
        <PageTabs label={t("webhooks.title")} tabs={listTabs(account.id, id)} active={tab} />
        {tab === "deliveries" && <DeliveryFilters webhook={data} figures={figures} />}
      </div>
      {tab === "deliveries" ? (
        <WebhookDeliveries webhook={data} />
      ) : (
        <div className="page-body webhook-tab">
          {tab === "signature" ? (
            <Signature policy={policy} />
          ) : tab === "history" ? (
            <AuditTrail type={webhookType} path={`/webhooks/${id}`} />
          ) : (
            <RecordDetails type={webhookType} row={record.data} writable={may("update", webhookType)} />
          )}
        </div>
      )}
    </div>
  );
}

/** Performs an action on the webhook and confirms it. */
function useWebhookAction(perform: () => Promise<unknown>, done: string) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: perform,
    onSuccess: async () => {
      showMessage(done);
      await queries.invalidateQueries({ queryKey: webhookQueries.all(api) });
    },
    onError: showError,
  });
}

function TestButton({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const test = useWebhookAction(() => api.act(`/webhooks/${id}/test`), t("webhooks.testDone"));
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Icon of={IconSend} />}
      loading={test.isPending}
      onClick={() => test.mutate()}
    >
      {t("webhooks.test")}
    </Button>
  );
}

/** Another webhook that sends the same messages to the same address, which is rarely meant (D-636). */
function useTwin(webhook: Webhook): Webhook | undefined {
  const { api } = useCurrentAccount();
  const { data = [] } = useQuery(webhookQueries.list(api));
  const isOn = ({ state }: Webhook) => state !== "disabled";
  return data.find((each) => each.id !== webhook.id && isTwin(each, webhook) && isOn(each) && isOn(webhook));
}

function WebhookProblems({ webhook }: { webhook: Webhook }) {
  const { account } = useCurrentAccount();
  const { verified, disabled_reason, last_error, failures } = webhook;
  const twin = useTwin(webhook);
  return (
    <>
      {twin !== undefined && (
        <Problem tone="yellow" title={t("webhookOverview.twice")}>
          {t("webhookOverview.twiceLead", { event: webhook.event })}{" "}
          <Link to={settingsPaths.webhook(account.id, twin.id)} underline="always">
            {twin.name}
          </Link>
        </Problem>
      )}
      {!verified && (
        <Problem tone="yellow" title={t("webhooks.unverified")} action={<ResendButton id={webhook.id} />}>
          {t("webhooks.unverifiedLead")}
        </Problem>
      )}
      {disabled_reason !== null && (
        <Problem tone="red" title={t("webhooks.wasDisabled")}>
          {disabled_reason}
        </Problem>
      )}
      {last_error !== null && (
        <Problem tone="red" title={t("webhooks.lastError")}>
          {last_error} · {t("webhooks.failures", { count: failures })}
        </Problem>
      )}
    </>
  );
}

type ProblemProps = { tone: "yellow" | "red"; title: string; action?: ReactNode; children: ReactNode };

const Problem = ({ tone, title, action, children }: ProblemProps) => (
  <div className="webhook-problem" data-tone={tone}>
    <Icon of={IconAlertTriangle} />
    <p>
      <b>{title}</b> {children}
    </p>
    {action}
  </div>
);

function ResendButton({ id }: { id: number }) {
  const { account } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const resend = useWebhookAction(() => calls.resendVerification(id), t("webhooks.resendDone"));
  return (
    <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate()}>
      {t("webhooks.resend")}
    </Button>
  );
}

/** The key that signs the messages, its rotation, and code that verifies signatures. */
function Signature({ policy }: { policy: number | null }) {
  if (policy === null)
    return <EmptyState title={t("webhookOverview.notSigned")} lead={t("webhookOverview.unsigned")} />;
  return <PolicySignature id={policy} />;
}

function PolicySignature({ id }: { id: number }) {
  const { data, error, refetch } = useRecord(webhookPolicy, String(id));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  return data === undefined ? <SkeletonRows rows={4} /> : <PolicyCard policy={data} />;
}
