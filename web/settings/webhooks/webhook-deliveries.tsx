import { Button, SegmentedControl } from "@mantine/core";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { DeliveryStatistics, Webhook } from "../../api/webhooks.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { webhookQueries } from "../../queries/settings/webhooks.ts";
import { LogColumns, LogText } from "../developers/log-frame.tsx";
import { useAddressSearch } from "../use-address-search.ts";
import { buildStateChoices } from "./delivery-figures.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";

/** The parameters in a webhook page's address, besides the id. */
export const useWebhookAddress = () => useAddressSearch("tab", "state", "record", "delivery");

/** The controls at the far end of the tabs: the filter for the list, and redelivery. */
export function DeliveryFilters({ webhook, figures }: { webhook: Webhook; figures: DeliveryStatistics | undefined }) {
  const [filter, set] = useWebhookAddress();
  const [recovering, setRecovering] = useState(false);
  return (
    <div className="webhook-filters">
      <LogText
        label={t("webhooks.record")}
        placeholder={t("webhooks.record")}
        value={filter.record}
        onChange={(record) => set({ record: /^\d{1,9}$/.test(record) ? record : "" })}
      />
      <SegmentedControl
        aria-label={t("webhooks.state")}
        size="xs"
        value={filter.state ?? ""}
        onChange={(state) => set({ state })}
        data={buildStateChoices(figures, filter.record !== undefined)}
      />
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon of={IconRefresh} size={14} />}
        onClick={() => setRecovering(true)}
      >
        {t("webhookOverview.recover")}
      </Button>
      {recovering && <RecoverDialog scope={{ webhook_id: String(webhook.id) }} onClose={() => setRecovering(false)} />}
    </div>
  );
}

/** The messages sent to a webhook, newest first, with one of them beside the list. */
export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [{ state, record, delivery }, set] = useWebhookAddress();
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const list = useInfiniteQuery(webhookQueries.deliveries(api, { webhook_id: String(webhook.id), state, record }));
  const redelivery = useMutation({
    mutationFn: (ids: readonly number[]) => administrationApi(account.id).redeliver(webhook.id, { ids }),
    onSuccess: async ({ redelivered }) => {
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      setMarked(new Set());
      await queries.invalidateQueries({ queryKey: webhookQueries.all(api) });
    },
    onError: showError,
  });
  const mark = (id: number, wanted: boolean) =>
    setMarked((was) => {
      const next = new Set(was);
      if (wanted) next.add(id);
      else next.delete(id);
      return next;
    });
  const chosen = delivery !== undefined && /^\d{1,15}$/.test(delivery) ? Number(delivery) : undefined;
  return (
    <>
      {marked.size > 0 && (
        <div className="log-filters">
          <Button size="xs" loading={redelivery.isPending} onClick={() => redelivery.mutate([...marked])}>
            {t("webhooks.redeliverChosen", { count: marked.size })}
          </Button>
          <Button variant="subtle" size="xs" onClick={() => setMarked(new Set())}>
            {t("form.cancel")}
          </Button>
        </div>
      )}
      <LogColumns
        list={list}
        empty={{ title: t("webhooks.noDeliveries"), lead: t("webhooks.noDeliveriesLead") }}
        older={t("webhooks.older")}
        chosen={chosen}
        table={(rows) => (
          <DeliveryTable
            rows={rows}
            chosen={chosen}
            onChoose={(id) => set({ delivery: String(id) })}
            marks={{ marked, mark }}
          />
        )}
        detail={
          chosen !== undefined && (
            <DeliveryPanel
              key={chosen}
              webhook={webhook.id}
              id={chosen}
              uri={webhook.uri}
              onClose={() => set({ delivery: "" })}
            />
          )
        }
      />
    </>
  );
}
