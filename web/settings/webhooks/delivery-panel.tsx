import { Button, Select, Tabs } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import type { Attempt, DeliveryDetails } from "../../wire.ts";
import { CodeBlock } from "../developers/code-block.tsx";
import { CopyTextButton } from "../developers/copy-button.tsx";
import { buildCurl, formatJson } from "../developers/curl.ts";
import { LogDetail } from "../developers/log-frame.tsx";
import { StateWord } from "./state-badge.tsx";
import { buildVerifierCode, type VerifierLanguage, verifierLanguages } from "./verifier-code.ts";

type Props = { webhook: number; id: number; uri: string; onClose(): void };

/** One message beside the list: its tries, what was sent, what was answered, and how to check it. */
export function DeliveryPanel({ webhook, id, uri, onClose }: Props) {
  const { account } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [account.id, "webhooks", webhook, "delivery", id],
    queryFn: () => calls.delivery(webhook, id),
    refetchInterval: 5000,
  });
  const again = useMutation({
    mutationFn: () => calls.redeliver(webhook, { ids: [id] }),
    onSuccess: async ({ redelivered }) => {
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      await queries.invalidateQueries({ queryKey: [account.id, "webhooks"] });
    },
    onError: showError,
  });
  return (
    <LogDetail
      label={t("webhookOverview.delivery")}
      head={
        <>
          {data !== undefined && <StateWord state={data.state} />}
          <code>{data?.uuid.slice(0, 13) ?? ""}</code>
        </>
      }
      actions={
        <>
          {data !== undefined && <CopyTextButton label="curl" text={buildMessageCurl(uri, data)} />}
          {data !== undefined && data.kind !== "verify" && (
            <Button size="xs" loading={again.isPending} onClick={() => again.mutate()}>
              {t("webhooks.redeliver")}
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      {data === undefined ? <SkeletonRows rows={6} /> : <Details delivery={data} />}
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
      <Tries delivery={delivery} />
      <Tabs defaultValue="request" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="request">{t("webhooks.request")}</Tabs.Tab>
          <Tabs.Tab value="response">
            {t("webhookOverview.response")} {last?.status ?? ""}
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

const Tries = ({ delivery }: { delivery: DeliveryDetails }) => (
  <ol className="log-tries">
    {delivery.attempts.toReversed().map(({ number, started_at, status, error }) => (
      <li key={number} data-bad={error === null ? undefined : true}>
        <b>{number}</b> <Timestamp at={started_at} /> {error ?? status}
      </li>
    ))}
    {delivery.next_try_at !== null && (
      <li data-next>
        {t("webhooks.nextTry")}: <Timestamp at={delivery.next_try_at} />
      </li>
    )}
  </ol>
);

/** The algorithm that a signed message names; null: it is not signed. */
function readAlgorithm(body: string): string | null {
  try {
    const { jwt } = JSON.parse(body) as { jwt?: string };
    if (jwt === undefined) return null;
    const head = atob((jwt.split(".")[0] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const { alg } = JSON.parse(head) as { alg: string };
    return alg.toLowerCase();
  } catch {
    return null;
  }
}

/** Code that checks the message that is shown. */
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
          onChange={(value) => setLanguage(value as VerifierLanguage)}
        />
        <CopyTextButton label={t("secret.copy")} text={code} />
      </div>
      <CodeBlock label={t("webhookOverview.verify")} text={code} />
    </div>
  );
}
