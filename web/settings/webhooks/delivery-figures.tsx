import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../current-account.ts";
import { formatNumber } from "../../formats.ts";
import { t } from "../../languages/index.ts";
import type { DeliveryStatistics } from "../../wire.ts";
import { LogFigures } from "../developers/log-frame.tsx";

const hours = 48;

type Scope = { webhook_id?: string | undefined; receiver?: string | undefined };

/** How the deliveries of the last hours went: of one webhook, of a receiver, or of all. */
export function useDeliveryStatistics(scope: Scope): DeliveryStatistics | undefined {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery({
    queryKey: [account.id, "webhooks", "statistics", scope],
    queryFn: () => api.get<DeliveryStatistics>("/webhook_delivery_statistics", { ...scope, hours: String(hours) }),
    refetchInterval: 10_000,
  });
  return data;
}

export const DeliveryFigures = ({ figures }: { figures: DeliveryStatistics | undefined }) => (
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

/**
 * The states to choose from, each with as many deliveries as its list shows. The figures above are those of the last hours;
 * a list also shows older ones. A list that is narrowed further has no count.
 */
export function buildStateChoices(figures: DeliveryStatistics | undefined, isNarrowed: boolean) {
  const count = (value: number | undefined): string =>
    value === undefined || isNarrowed ? "" : ` ${formatNumber(value)}`;
  return [
    { value: "", label: t("webhookOverview.all") },
    { value: "failed", label: `${t("webhooks.state.failed")}${count(figures?.kept.failed)}` },
    { value: "waiting", label: `${t("webhookOverview.retrying")}${count(figures?.kept.waiting)}` },
  ];
}
