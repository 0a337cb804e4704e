import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { enumerations } from "../../../../records/enumerations/index.ts";
import { webhook as webhookType } from "../../../../records/settings/webhook.ts";
import { sendRaw } from "../../../api/call.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { ApiError } from "../../../api/index.ts";
import type { Sandbox, SandboxMessage } from "../../../api/webhooks.ts";
import { settingsPaths } from "../../../base/settings-paths.ts";
import { Link } from "../../../elements/link.tsx";
import { showError, showMessage } from "../../../elements/toast.tsx";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { Secret } from "../../../parts/forms/secret.tsx";
import { PageBar } from "../../../parts/page-bar.tsx";
import { PageTabs } from "../../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { Forbidden } from "../../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../../parts/timestamp.tsx";
import { webhookQueries } from "../../../queries/settings/webhooks.ts";
import { CodeBlock } from "../../developers/code-block.tsx";
import { formatJson } from "../../developers/curl.ts";
import { listWebhookTabs } from "../all-deliveries.tsx";
import { StateBadge } from "../state-badge.tsx";
import "../../../styles/settings/developers.css";

const statuses = [200, 201, 204, 301, 400, 401, 404, 429, 500, 503];
const delays = [0, 1000, 3000, 9000, 11_000];

/** Built-in test receivers: they show the messages they receive and respond as configured. */
export function SandboxScreen() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(webhookQueries.sandboxes(api));
  const create = useMutation({
    mutationFn: () => api.call("POST /webhook_sandboxes", {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhookQueries.sandboxes(api).queryKey }),
    onError: showError,
  });
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={webhookType} />;
  return (
    <div className="page">
      <PageBar
        title={t("sandbox.title")}
        actions={
          <Button size="sm" loading={create.isPending} onClick={() => create.mutate()}>
            {t("sandbox.create")}
          </Button>
        }
      >
        <PageTabs label={t("webhooks.title")} tabs={listWebhookTabs(account.id)} active="sandbox" />
      </PageBar>
      <div className="page-body sandbox-page">
        {error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={6} />
        ) : data.length === 0 ? (
          <EmptyState title={t("sandbox.none")} lead={t("sandbox.lead")} />
        ) : (
          data.map((sandbox) => <SandboxCard key={sandbox.key} sandbox={sandbox} />)
        )}
      </div>
    </div>
  );
}

function SandboxCard({ sandbox }: { sandbox: Sandbox }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const { key } = sandbox;
  const refresh = () => queries.invalidateQueries({ queryKey: webhookQueries.sandboxes(api).queryKey });
  const change = useMutation({
    mutationFn: (members: Partial<Pick<Sandbox, "status" | "delay">>) =>
      api.call("PATCH /webhook_sandboxes/:key", { key }, members),
    onSuccess: refresh,
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: () => api.call("DELETE /webhook_sandboxes/:key", { key }),
    onSuccess: refresh,
    onError: showError,
  });
  const messages = useQuery(webhookQueries.sandboxMessages(api, key));
  return (
    <section className="sandbox-card">
      <div className="sandbox-head">
        <Secret name={t("sandbox.address")} value={sandbox.uri} />
        <div className="sandbox-controls">
          <Select
            label={t("sandbox.answers")}
            size="xs"
            data={statuses.map(String)}
            value={String(sandbox.status)}
            allowDeselect={false}
            onChange={(status) => change.mutate({ status: Number(status) })}
          />
          <Select
            label={t("sandbox.after")}
            size="xs"
            data={delays.map((delay) => ({
              value: String(delay),
              label: t("sandbox.seconds", { count: delay / 1000 }),
            }))}
            value={String(sandbox.delay)}
            allowDeselect={false}
            onChange={(delay) => change.mutate({ delay: Number(delay) })}
          />
          <Button size="xs" variant="default" onClick={() => remove.mutate()} loading={remove.isPending}>
            {t("sandbox.delete")}
          </Button>
        </div>
        <WebhooksHere uri={sandbox.uri} />
        <p className="log-note">
          {t("sandbox.until")} <Timestamp at={sandbox.expires_at} />
        </p>
      </div>
      <div aria-live="polite">
        {messages.data?.length === 0 && <p className="log-note">{t("sandbox.waiting")}</p>}
        {messages.data?.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </div>
    </section>
  );
}

/** The webhooks that send to the sandbox, and a button to add one. */
function WebhooksHere({ uri }: { uri: string }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [event, setEvent] = useState<string | null>("request.create");
  const { data } = useQuery({ ...webhookQueries.list(api), refetchInterval: 5000 });
  const refresh = () => queries.invalidateQueries({ queryKey: webhookQueries.all(api) });
  const add = useMutation({
    mutationFn: () => api.create("/webhooks", { event, uri }),
    onSuccess: refresh,
    onError: showError,
  });
  const test = useMutation({ mutationFn: (id: number) => api.act(`/webhooks/${id}/test`), onError: showError });
  return (
    <>
      {data
        ?.filter((webhook) => webhook.uri === uri)
        .map((webhook) => (
          <div key={webhook.id} className="sandbox-webhook">
            <Link to={settingsPaths.webhook(account.id, webhook.id)}>{webhook.name}</Link>
            <StateBadge state={webhook.state} />
            <Button size="compact-xs" variant="default" onClick={() => test.mutate(webhook.id)}>
              {t("webhooks.test")}
            </Button>
          </div>
        ))}
      <div className="sandbox-controls">
        <Select
          label={t("webhooks.event")}
          size="xs"
          searchable
          data={[...enumerations["webhook.event"]]}
          value={event}
          allowDeselect={false}
          onChange={setEvent}
        />
        <Button size="xs" disabled={event === null} loading={add.isPending} onClick={() => add.mutate()}>
          {t("sandbox.addWebhook")}
        </Button>
      </div>
    </>
  );
}

type SentMessage = { event?: string; payload?: { callback?: string } };

/** The message in a body, also of a signed one; null: it isn't one of ours. */
function readMessage(body: string): SentMessage | null {
  try {
    const sent: SentMessage & { jwt?: string } = JSON.parse(body);
    if (typeof sent?.jwt !== "string") return sent;
    const claims = atob((sent.jwt.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const { data }: { data: SentMessage } = JSON.parse(claims);
    return data;
  } catch {
    return null;
  }
}

/** The verification callback of this instance; never an address elsewhere. */
function readCallback(sent: SentMessage | null): string | null {
  const callback = sent?.event === "webhook.verify" ? sent.payload?.callback : undefined;
  if (callback === undefined || !URL.canParse(callback)) return null;
  const { pathname, search } = new URL(callback);
  return /^\/a\/[^/]+\/webhooks\/\d+\/verify$/.test(pathname) ? pathname + search : null;
}

function Message({ message }: { message: SandboxMessage }) {
  const sent = readMessage(message.body);
  const callback = readCallback(sent);
  const [done, setDone] = useState(false);
  const confirm = useMutation({
    mutationFn: async (path: string) => {
      const { status } = await sendRaw({ method: "POST", path });
      if (status !== 200) throw new ApiError(404, t("sandbox.codeGone"));
    },
    onSuccess: () => {
      setDone(true);
      showMessage(t("sandbox.confirmed"));
    },
    onError: showError,
  });
  return (
    <div className="sandbox-row">
      <details className="sandbox-message">
        <summary>
          <b>{sent?.event ?? message.method}</b>
          <span className="numbers">{t("sandbox.bytes", { count: message.size })}</span>
          <span data-bad={message.answered_status >= 300 ? true : undefined}>
            {t("sandbox.answered", { status: message.answered_status })}
          </span>
          <Timestamp at={message.received_at} />
        </summary>
        <CodeBlock label={t("webhookOverview.headers")} text={formatHeaders(message)} />
        <CodeBlock label={t("webhooks.request")} text={formatJson(message.body)} />
      </details>
      {callback !== null && !done && (
        <Button size="compact-xs" loading={confirm.isPending} onClick={() => confirm.mutate(callback)}>
          {t("sandbox.confirm")}
        </Button>
      )}
    </div>
  );
}

const formatHeaders = ({ headers }: SandboxMessage): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
