import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { formatNumber } from "../../base/formats.ts";
import { formatClock } from "../../base/moments.ts";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { PageTabs } from "../../parts/page-tabs.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { developerQueries } from "../../queries/settings/developers.ts";
import { listApiTabs } from "./api-tabs.ts";
import { describeCaller, writeCaller } from "./callers.ts";
import "../../styles/settings/developers.css";

/** The remaining calls, and the callers of the last hour. */
export function LimitsScreen() {
  const { account } = useCurrentAccount();
  return (
    <div className="page">
      <PageBar title={t("apiPages.title")}>
        <PageTabs label={t("apiPages.title")} tabs={listApiTabs(account.id)} active="limits" />
      </PageBar>
      <div className="page-body">
        <div className="limit-page">
          <OwnLimit />
          <LastHour />
        </div>
      </div>
    </div>
  );
}

function OwnLimit() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(developerQueries.rateLimit(api));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  return (
    <section className="card limit-card" aria-labelledby="own-limit">
      <h2 id="own-limit">{t("apiPages.leftHere")}</h2>
      {data === undefined ? (
        <SkeletonRows rows={2} />
      ) : (
        <>
          <p className="limit-left numbers">
            {formatNumber(data.remaining)}{" "}
            <span>{t("apiPages.leftOf", { limit: data.limit, time: formatClock(data.reset * 1000) })}</span>
          </p>
          <div className="limit-bar" aria-hidden="true">
            <span style={{ width: `${(data.remaining / Math.max(1, data.limit)) * 100}%` }} />
          </div>
        </>
      )}
      <p className="quiet">{t("apiPages.limitLead")}</p>
      <p className="quiet">
        <code>X-RateLimit-Limit</code> <code>X-RateLimit-Remaining</code> <code>X-RateLimit-Reset</code>{" "}
        <code>Retry-After</code>
      </p>
    </section>
  );
}

function LastHour() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(developerQueries.callStatistics(api, "1"));
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  const callers = data?.by_caller;
  return (
    <section className="card limit-card" aria-labelledby="last-hour">
      <h2 id="last-hour">{t("apiPages.lastHour")}</h2>
      {callers === undefined ? (
        <SkeletonRows rows={4} />
      ) : callers.length === 0 ? (
        <EmptyState title={t("apiPages.noCalls")} lead={t("apiPages.noCallsLead")} />
      ) : (
        <table className="log-table">
          <caption className="spoken">{t("apiPages.lastHour")}</caption>
          <thead>
            <tr>
              <th>{t("apiPages.caller")}</th>
              <th>{t("apiPages.operations")}</th>
              <th>{t("apiPages.errors")}</th>
              <th>{t("apiPages.refused")}</th>
            </tr>
          </thead>
          <tbody>
            {callers.map((caller) => (
              <tr key={writeCaller(caller)}>
                <td>{describeCaller(caller)}</td>
                <td className="numbers">{formatNumber(caller.calls)}</td>
                <td className="numbers">{formatNumber(caller.errors)}</td>
                <td className={caller.refused > 0 ? "numbers bad" : "numbers"}>{formatNumber(caller.refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
