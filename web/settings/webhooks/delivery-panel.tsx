import { Button, Tabs } from "@mantine/core";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Attempt, DeliveryDetails } from "../../api/webhooks.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon } from "../../elements/icon.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { CodeBlock } from "../developers/code-block.tsx";
import { CopyIconButton, CopyTextButton } from "../developers/copy-button.tsx";
import { buildCurl, formatJson } from "../developers/curl.ts";
import { LogDetail } from "../developers/log-frame.tsx";
import { DeliveryTries } from "./delivery-tries.tsx";
import { formatTook } from "./durations.ts";
import { StateWord } from "./state-badge.tsx";
import { buildVerifierCode, type VerifierLanguage, verifierLanguages } from "./verifier-code.ts";

/** The number of characters shown at the foot; the tab shows the full response. */
const mostOfAnswer = 300;

type Props = { webhook: number; id: number; uri: string; onClose(): void };

/** One message beside the list: its attempts, request, response, and how to verify it. */
export function DeliveryPanel({ webhook, id, uri, onClose }: Props) {
  const { account, api } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(webhookQueries.delivery(api, webhook, id));
  const redelivery = useMutation({
    mutationFn: () => calls.redeliver(webhook, { ids: [id] }),
    onSuccess: async ({ redelivered }) => {
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      await queries.invalidateQueries({ queryKey: webhookQueries.all(api) });
    },
    onError: showError,
  });
  return (
    <LogDetail
      label={t("webhookOverview.delivery")}
      head={
        <>
          {data !== undefined && (
            <StateWord state={data.state === "waiting" && data.tries > 0 ? "retrying" : data.state} />
          )}
          <code className="quiet">{data?.uuid.slice(0, 13) ?? ""}</code>
          {data !== undefined && <CopyIconButton text={data.uuid} />}
        </>
      }
      actions={
        <>
          {data !== undefined && <CopyTextButton label="curl" text={buildMessageCurl(uri, data)} />}
          {data !== undefined && data.kind !== "verify" && (
            <Button
              size="xs"
              leftSection={<Icon of={IconRefresh} size={14} />}
              loading={redelivery.isPending}
              onClick={() => redelivery.mutate()}
            >
              {t("webhooks.redeliver")}
            </Button>
          )}
        </>
      }
      {...(data?.attempts[0]?.status == null ? {} : { foot: <LastAnswer attempt={data.attempts[0]} /> })}
      onClose={onClose}
    >
      {error !== null && data === undefined ? (
        <ErrorPanel error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonRows rows={6} />
      ) : (
        <Details delivery={data} />
      )}
    </LogDetail>
  );
}

const buildMessageCurl = (uri: string, { body, link, uuid }: DeliveryDetails): string =>
  buildCurl(
    "POST",
    uri,
    {
      "Content-Type": "application/json; charset=utf-8",
      ...(link === null ? {} : { Link: link }),
      "X-4me-Delivery": uuid,
    },
    body,
  );

function Details({ delivery }: { delivery: DeliveryDetails }) {
  const last = delivery.attempts[0];
  return (
    <>
      {delivery.reason !== null && ![last?.error, String(last?.status)].includes(delivery.reason) && (
        <p className="log-note">{delivery.reason}</p>
      )}
      <DeliveryTries delivery={delivery} />
      <Tabs defaultValue="request" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="request">{t("webhooks.request")}</Tabs.Tab>
          <Tabs.Tab value="response">
            {t("webhookOverview.response")} <span className="quiet">{last?.status ?? ""}</span>
          </Tabs.Tab>
          <Tabs.Tab value="headers">{t("webhookOverview.headers")}</Tabs.Tab>
          <Tabs.Tab value="verify">{t("webhookOverview.verify")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="request">
          <CodeBlock label={t("webhooks.request")} text={formatJson(delivery.body)} />
        </Tabs.Panel>
        <Tabs.Panel value="response">
          <CodeBlock label={t("webhookOverview.response")} text={last?.body ?? last?.error ?? ""} />
        </Tabs.Panel>
        <Tabs.Panel value="headers">
          <CodeBlock label={t("webhookOverview.headers")} text={describeHeaders(last)} />
        </Tabs.Panel>
        <Tabs.Panel value="verify">
          <Verifier body={delivery.body ?? ""} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const describeHeaders = (attempt: Attempt | undefined): string =>
  Object.entries(attempt?.headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** The receiver's last response, at the foot of the panel, because it is the first thing people look for. */
function LastAnswer({ attempt: { number, status, error, milliseconds, headers, body } }: { attempt: Attempt }) {
  const size = Number(headers?.["content-length"] ?? new TextEncoder().encode(body ?? "").length);
  return (
    <div className="log-answer">
      <p>
        {t("webhookOverview.answerOf", { number })}
        <Chip tone={error === null ? "green" : "red"}>{status}</Chip>
        <span className="quiet">
          {formatTook(milliseconds)} · {t("sandbox.bytes", { count: size })}
        </span>
      </p>
      {body !== null && body !== "" && <pre className="log-answer-body">{body.slice(0, mostOfAnswer)}</pre>}
    </div>
  );
}

/** The algorithm of a signed message; null: it isn't signed. */
function readAlgorithm(body: string): string | null {
  try {
    const { jwt }: { jwt?: string } = JSON.parse(body);
    if (jwt === undefined) return null;
    const head = atob((jwt.split(".")[0] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const { alg }: { alg: string } = JSON.parse(head);
    return alg.toLowerCase();
  } catch {
    return null;
  }
}

/** Code that verifies the displayed message. */
export function Verifier({ body, alg }: { body?: string; alg?: string }) {
  const [language, setLanguage] = useState<VerifierLanguage>("Node.js");
  const algorithm = alg ?? readAlgorithm(body ?? "");
  if (algorithm === null) return <p className="log-note">{t("webhookOverview.unsigned")}</p>;
  const code = buildVerifierCode(language, algorithm);
  return (
    <div className="log-verifier">
      <div>
        <Select
          aria-label={t("webhookOverview.language")}
          size="xs"
          data={[...verifierLanguages]}
          value={language}
          allowDeselect={false}
          onChange={(value) => setLanguage(verifierLanguages.find((each) => each === value) ?? language)}
        />
        <CopyTextButton label={t("secret.copy")} text={code} />
      </div>
      <CodeBlock label={t("webhookOverview.verify")} text={code} />
    </div>
  );
}
