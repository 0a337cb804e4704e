import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { DeliveryStatistics } from "../../api/webhooks.ts";
import { formatNumber } from "../../base/formats.ts";
import { formatPercent } from "../../base/percent.ts";
import { t } from "../../languages/index.ts";
import { type DeliveryScope, statisticsHours, webhookQueries } from "../../queries/settings/webhooks.ts";
import { LogFigures } from "../developers/log-frame.tsx";

/** The results of the deliveries of the last hours: for one webhook, for a receiver, or for all. */
export function useDeliveryStatistics(scope: DeliveryScope): DeliveryStatistics | undefined {
  const { api } = useCurrentAccount();
  return useQuery(webhookQueries.statistics(api, scope)).data;
}

export const DeliveryFigures = ({ figures }: { figures: DeliveryStatistics | undefined }) => (
  <LogFigures
    lead={t("webhookOverview.last", { hours: statisticsHours })}
    hours={statisticsHours}
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
  delivered + failed === 0 ? "–" : formatPercent(delivered / (delivered + failed));

/**
 * The states to choose from, with the number of deliveries in each list. The figures above cover the last hours; a list
 * also contains older ones. A list with further filters has no count.
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
