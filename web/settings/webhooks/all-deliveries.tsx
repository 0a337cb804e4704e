import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { webhook as webhookType } from "../../../records/settings/webhook.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { LogFrame, LogText } from "../developers/log-frame.tsx";
import { useAddressSearch } from "../use-address-search.ts";
import { buildStateChoices, DeliveryFigures, useDeliveryStatistics } from "./delivery-figures.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";

export const listWebhookTabs = (account: string) => [
  { key: "webhooks", label: t("webhooks.title"), path: settingsPaths.webhooks(account) },
  { key: "deliveries", label: t("webhooks.deliveries"), path: settingsPaths.allDeliveries(account) },
  { key: "sandbox", label: t("sandbox.title"), path: paths.sandboxes(account) },
  { key: "keys", label: t("webhookKeys.title"), path: settingsPaths.webhookKeys(account) },
];

/** All messages sent to the account's webhooks, and their results. */
export function AllDeliveriesScreen() {
  const { account, api } = useCurrentAccount();
  const [{ delivery, ...filter }, set] = useAddressSearch("webhook_id", "receiver", "state", "event", "delivery");
  const [recovering, setRecovering] = useState(false);
  const { data: webhooks } = useQuery(webhookQueries.list(api));
  const { webhook_id, receiver } = filter;
  const scope = { webhook_id, receiver };
  const figures = useDeliveryStatistics(scope);
  const list = useInfiniteQuery(webhookQueries.deliveries(api, filter));
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
      figures={<DeliveryFigures figures={figures} />}
      filters={
        <>
          <SegmentedControl
            aria-label={t("webhooks.state")}
            size="xs"
            value={filter.state ?? ""}
            onChange={(state) => set({ state })}
            data={[
              ...buildStateChoices(figures, filter.event !== undefined),
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
