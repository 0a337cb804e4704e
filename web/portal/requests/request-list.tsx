import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useTopics } from "../../live/use-topics.ts";
import { toCount } from "../../queries/total.ts";
import { useAddresses } from "../addresses.ts";
import { useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { useOwnRequests } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";
import { RequestRows } from "./request-rows.tsx";

const liveRows = 15;

export function RequestListPage() {
  const { account } = useCurrentAccount();
  const at = useAddresses();
  const [show, setShow] = useState<"open" | "solved" | "shared" | "all">("open");
  const { data, error, refetch } = useOwnRequests(show);
  useTitle(t("nav.requests"));
  useTopics((data?.items ?? []).slice(0, liveRows).map(({ id }) => `record/request/${id}`));
  const tabs = [
    ["open", t("requests.open")],
    ["solved", t("requests.solved")],
    ["shared", t("requests.shared")],
    ...(account.roles.includes("key_contact") ? [["all", t("requests.organization")] as const] : []),
  ] as const;
  return (
    <div>
      <header className="page-head">
        <h1>{t("nav.requests")}</h1>
        <Link className="button primary" to={at.newRequest()}>
          {t("requests.new")}
        </Link>
      </header>
      <div className="tabs" role="tablist" aria-label={t("nav.requests")}>
        {tabs.map(([key, label], index) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={show === key}
            aria-controls="requests-panel"
            tabIndex={show === key ? 0 : -1}
            onClick={() => setShow(key)}
            onKeyDown={(event) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              const next = tabs[(index + step + tabs.length) % tabs.length];
              if (step === 0 || next === undefined) return;
              setShow(next[0]);
              document.getElementById(`tab-${next[0]}`)?.focus();
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div id="requests-panel" role="tabpanel" aria-labelledby={`tab-${show}`}>
        {error !== null && data === undefined ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading />
        ) : data.items.length === 0 ? (
          <p className="quiet">{t(`requests.none.${show}`)}</p>
        ) : (
          <>
            <RequestRows requests={data.items} />
            {data.total > data.items.length && (
              <p className="quiet small">
                {t("requests.shown", {
                  shown: data.items.length,
                  total: toCount({ total: data.total, isTotalOld: data.is_total_old }),
                })}
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
}
