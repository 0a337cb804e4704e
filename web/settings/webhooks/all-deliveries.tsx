import { Button, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { administrationApi } from "../../api/administration.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { paths } from "../../paths.ts";
import type { AccountDelivery, DeliveryStatistics } from "../../wire.ts";
import { LogFigures, LogFrame, LogText, useLogFilter, useLogList } from "../developers/log-frame.tsx";
import { settingsPaths } from "../settings-paths.ts";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import { StateWord } from "./state-badge.tsx";

const pageSize = 50;
const hours = 48;
type Filter = { webhook_id?: string; receiver?: string; state?: string; event?: string; delivery?: string };

export const listWebhookTabs = (account: string) => [
  { key: "webhooks", label: t("webhooks.title"), path: settingsPaths.webhooks(account) },
  { key: "deliveries", label: t("webhooks.deliveries"), path: settingsPaths.allDeliveries(account) },
  { key: "sandbox", label: t("sandbox.title"), path: paths.sandboxes(account) },
  { key: "keys", label: t("webhookKeys.title"), path: settingsPaths.webhookKeys(account) },
];

/** Everything that was sent to the webhooks of the account, and how that went. */
export function AllDeliveriesScreen() {
  const { account, api } = useCurrentAccount();
  const [{ delivery, ...filter }, set] = useLogFilter<Filter>();
  const [recovering, setRecovering] = useState(false);
  const { data: webhooks } = useQuery({
    queryKey: [account.id, "webhooks"],
    queryFn: administrationApi(account.id).webhooks,
  });
  const { webhook_id, receiver } = filter;
  const scope = { webhook_id, receiver };
  const figures = useQuery({
    queryKey: [account.id, "webhooks", "statistics", scope],
    queryFn: () => api.get<DeliveryStatistics>("/webhook_delivery_statistics", { ...scope, hours: String(hours) }),
    refetchInterval: 10_000,
  });
  const list = useLogList<AccountDelivery>({
    ...{ path: "/webhook_deliveries", key: ["webhooks", "all deliveries"], filter, pageSize },
    everyMilliseconds: 5000,
  });
  if (list.error instanceof ApiError && list.error.status === 403) return <Forbidden type={webhookType} />;
  const receivers = [...new Set(webhooks?.map(({ uri }) => (URL.canParse(uri) ? new URL(uri).origin : uri)))];
  return (
    <LogFrame
      title={t("webhooks.title")}
      tabs={{ label: t("webhooks.title"), tabs: listWebhookTabs(account.id), active: "deliveries" }}
      actions={
        <Button variant="default" size="sm" onClick={() => setRecovering(true)}>
          {t("webhookOverview.recover")}
        </Button>
      }
      figures={<Figures figures={figures.data} />}
      filters={
        <>
          <SegmentedControl
            aria-label={t("webhooks.state")}
            size="xs"
            value={filter.state ?? ""}
            onChange={(state) => set({ state })}
            data={[
              { value: "", label: t("webhookOverview.all") },
              { value: "failed", label: `${t("webhooks.state.failed")} ${figures.data?.failed ?? ""}` },
              { value: "waiting", label: `${t("webhookOverview.retrying")} ${figures.data?.waiting ?? ""}` },
              { value: "delivered", label: t("webhooks.state.delivered") },
            ]}
          />
          <Select
            aria-label={t("webhookOverview.receiver")}
            placeholder={t("webhookOverview.everyReceiver")}
            size="xs"
            clearable
            data={receivers}
            value={filter.receiver ?? null}
            onChange={(value) => set({ receiver: value ?? "" })}
          />
          <LogText
            label={t("webhooks.event")}
            placeholder={t("webhookOverview.everyEvent")}
            value={filter.event}
            onChange={(event) => set({ event })}
          />
        </>
      }
      list={list}
      empty={{ title: t("webhooks.noDeliveries"), lead: t("webhooks.noDeliveriesLead") }}
      older={t("webhooks.older")}
      chosen={delivery}
      table={(rows, chosen) => (
        <DeliveryTable rows={rows} chosen={chosen} onChoose={(id) => set({ delivery: String(id) })} />
      )}
      detail={(entry) => (
        <DeliveryPanel
          key={entry.id}
          webhook={entry.webhook_id}
          id={entry.id}
          uri={webhooks?.find(({ id }) => id === entry.webhook_id)?.uri ?? ""}
          onClose={() => set({ delivery: "" })}
        />
      )}
    >
      {recovering && <RecoverDialog scope={scope} onClose={() => setRecovering(false)} />}
    </LogFrame>
  );
}

const Figures = ({ figures }: { figures: DeliveryStatistics | undefined }) => (
  <LogFigures
    lead={t("webhookOverview.last", { hours })}
    hours={hours}
    tone="green"
    counts={figures?.hours.map(({ hour, delivered, failed }) => ({ hour, good: delivered, bad: failed })) ?? []}
  >
    {figures !== undefined && (
      <span>
        <b className="good">{t("webhookOverview.delivered", { count: figures.delivered })}</b>
        {" · "}
        <b className={figures.failed > 0 ? "bad" : undefined}>
          {t("webhookOverview.failed", { count: figures.failed })}
        </b>
        {" · "}
        {t("webhookOverview.rate", { percent: formatRate(figures) })}
        {figures.median !== null && ` · ${t("webhookOverview.median", { milliseconds: figures.median })}`}
      </span>
    )}
  </LogFigures>
);

const formatRate = ({ delivered, failed }: DeliveryStatistics): string =>
  delivered + failed === 0 ? "–" : `${((delivered / (delivered + failed)) * 100).toFixed(1)} %`;

type TableProps = { rows: readonly AccountDelivery[]; chosen: number | undefined; onChoose(id: number): void };

const DeliveryTable = ({ rows, chosen, onChoose }: TableProps) => (
  <table className="log-table">
    <caption className="spoken">{t("webhooks.deliveries")}</caption>
    <thead>
      <tr>
        <th>{t("webhooks.state")}</th>
        <th>{t("webhooks.event")}</th>
        <th>{t("webhooks.record")}</th>
        <th>{t("webhooks.answer")}</th>
        <th className="log-wide">{t("webhookOverview.took")}</th>
        <th className="log-wide">{t("webhooks.tries")}</th>
        <th className="log-wide">{t("webhooks.nextTry")}</th>
        <th>{t("webhooks.created")}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr
          key={row.id}
          className="log-row"
          aria-current={row.id === chosen ? "true" : undefined}
          onClick={() => onChoose(row.id)}
        >
          <td>
            <StateWord state={row.state} />
          </td>
          <td>
            <button type="button" className="log-open">
              {row.kind === "test" ? t("webhooks.testOf", { event: row.event }) : row.event}
            </button>
          </td>
          <td>{row.record_id ?? ""}</td>
          <td className={row.error === null ? undefined : "bad"}>{row.error ?? row.status ?? ""}</td>
          <td className="numbers quiet log-wide">
            {row.milliseconds === null ? "" : t("webhooks.took", { milliseconds: row.milliseconds })}
          </td>
          <td className="numbers log-wide">{row.tries}</td>
          <td className="log-wide">{row.next_try_at === null ? "" : <Timestamp at={row.next_try_at} />}</td>
          <td>
            <Timestamp at={row.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
