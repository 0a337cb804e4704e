import { Button, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { administrationApi } from "../../api/administration.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { paths } from "../../paths.ts";
import type { AccountDelivery, DeliveryStatistics } from "../../wire.ts";
import { HourBars } from "../developers/hour-bars.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";
import { StateBadge } from "./state-badge.tsx";
import "../../styles/settings/developers.css";

const pageSize = 50;
const hours = 48;
type Filter = { webhook_id?: string; receiver?: string; state?: string; event?: string; delivery?: string };

export const listWebhookTabs = (account: string) => [
  { key: "webhooks", label: t("webhooks.title"), path: paths.webhooks(account) },
  { key: "deliveries", label: t("webhooks.deliveries"), path: paths.allDeliveries(account) },
  { key: "sandbox", label: t("sandbox.title"), path: paths.sandboxes(account) },
  { key: "keys", label: t("webhookKeys.title"), path: paths.webhookKeys(account) },
];

/** Everything that was sent to the webhooks of the account, and how that went. */
export function AllDeliveriesScreen() {
  const { account, api } = useCurrentAccount();
  const filter = useSearch({ strict: false }) as Filter;
  const navigate = useNavigate();
  const [recovering, setRecovering] = useState(false);
  const set = (members: Filter) => {
    const next = Object.entries({ ...filter, ...members }).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ to: ".", search: Object.fromEntries(next) as never, replace: true });
  };
  const { delivery, ...wanted } = filter;
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
  const list = useInfiniteQuery({
    queryKey: [account.id, "webhooks", "all deliveries", wanted],
    queryFn: ({ pageParam }) =>
      api.get<AccountDelivery[]>("/webhook_deliveries", {
        ...wanted,
        ...(pageParam === "" ? {} : { before: pageParam }),
      }),
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < pageSize ? null : String(page.at(-1)?.id)),
    refetchInterval: 5000,
  });
  const { data, error } = list;
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={webhookType} />;
  const rows = data?.pages.flat() ?? [];
  const chosen = rows.find(({ id }) => String(id) === delivery);
  const receivers = [...new Set(webhooks?.map(({ uri }) => (URL.canParse(uri) ? new URL(uri).origin : uri)))];
  return (
    <div className="page">
      <PageBar
        title={t("webhooks.deliveries")}
        actions={
          <Button variant="default" size="sm" onClick={() => setRecovering(true)}>
            {t("webhookOverview.recover")}
          </Button>
        }
      >
        <PageTabs label={t("webhooks.title")} tabs={listWebhookTabs(account.id)} active="deliveries" />
      </PageBar>
      <Figures figures={figures.data} />
      <div className="log-filters">
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
        <TextInput
          aria-label={t("webhooks.event")}
          placeholder={t("webhookOverview.everyEvent")}
          size="xs"
          defaultValue={filter.event ?? ""}
          onBlur={({ currentTarget }) => set({ event: currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === "Enter" && set({ event: event.currentTarget.value.trim() })}
        />
      </div>
      <div className="log-columns">
        <div className="log-list">
          {error !== null ? (
            <ErrorPanel error={error} retry={() => void list.refetch()} />
          ) : data === undefined ? (
            <SkeletonRows rows={10} />
          ) : rows.length === 0 ? (
            <EmptyState title={t("webhooks.noDeliveries")} lead={t("webhooks.noDeliveriesLead")} />
          ) : (
            <DeliveryTable rows={rows} chosen={chosen?.id} onChoose={(id) => set({ delivery: String(id) })} />
          )}
          {list.hasNextPage && (
            <Button variant="default" m="md" onClick={() => void list.fetchNextPage()}>
              {t("webhooks.older")}
            </Button>
          )}
        </div>
        {chosen !== undefined && (
          <DeliveryPanel
            key={chosen.id}
            webhook={chosen.webhook_id}
            id={chosen.id}
            uri={webhooks?.find(({ id }) => id === chosen.webhook_id)?.uri ?? ""}
            onClose={() => set({ delivery: "" })}
          />
        )}
      </div>
      {recovering && <RecoverDialog scope={scope} onClose={() => setRecovering(false)} />}
    </div>
  );
}

function Figures({ figures }: { figures: DeliveryStatistics | undefined }) {
  return (
    <div className="log-figures">
      <div>
        <span>{t("webhookOverview.last", { hours })}</span>
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
      </div>
      <HourBars
        hours={hours}
        tone="green"
        counts={figures?.hours.map(({ hour, delivered, failed }) => ({ hour, good: delivered, bad: failed })) ?? []}
      />
    </div>
  );
}

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
        <th>{t("webhookOverview.took")}</th>
        <th>{t("webhooks.tries")}</th>
        <th>{t("webhooks.nextTry")}</th>
        <th>{t("webhooks.created")}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} aria-current={row.id === chosen ? "true" : undefined}>
          <td>
            <StateBadge state={row.state} />
          </td>
          <td>
            <button type="button" className="log-open" onClick={() => onChoose(row.id)}>
              {row.kind === "test" ? t("webhooks.testOf", { event: row.event }) : row.event}
            </button>
          </td>
          <td>{row.record_id ?? ""}</td>
          <td className={row.error === null ? undefined : "bad"}>{row.error ?? row.status ?? ""}</td>
          <td className="numbers">
            {row.milliseconds === null ? "" : t("webhooks.took", { milliseconds: row.milliseconds })}
          </td>
          <td className="numbers">{row.tries}</td>
          <td>{row.next_try_at === null ? "" : <Timestamp at={row.next_try_at} />}</td>
          <td>
            <Timestamp at={row.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
