import { Button, SegmentedControl } from "@mantine/core";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import type { AccountDelivery, DeliveryStatistics, Webhook } from "../../wire.ts";
import { LogColumns, LogText, useLogFilter, useLogList } from "../developers/log-frame.tsx";
import { buildStateChoices } from "./delivery-figures.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { RecoverDialog } from "./recover-dialog.tsx";

const pageSize = 50;
export type WebhookFilter = { tab?: string; state?: string; record?: string; delivery?: string };

/** What stands at the far end of the tabs: which deliveries are listed, and sending again. */
export function DeliveryFilters({ webhook, figures }: { webhook: Webhook; figures: DeliveryStatistics | undefined }) {
  const [filter, set] = useLogFilter<WebhookFilter>();
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

/** What was sent to a webhook, newest first, with one message beside it. */
export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const [{ state, record, delivery }, set] = useLogFilter<WebhookFilter>();
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const list = useLogList<AccountDelivery>({
    ...{ path: "/webhook_deliveries", key: ["webhooks", webhook.id, "deliveries"], pageSize },
    filter: { webhook_id: String(webhook.id), state, record },
    everyMilliseconds: 5000,
  });
  const again = useMutation({
    mutationFn: (ids: readonly number[]) => administrationApi(account.id).redeliver(webhook.id, { ids }),
    onSuccess: async ({ redelivered }) => {
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      setMarked(new Set());
      await queries.invalidateQueries({ queryKey: [account.id, "webhooks"] });
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
          <Button size="xs" loading={again.isPending} onClick={() => again.mutate([...marked])}>
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
