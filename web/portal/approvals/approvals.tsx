import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { putIntoPanel, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { portalApprovalQueries } from "../../queries/portal/requests.ts";
import { useAddresses } from "../addresses.ts";
import { Crumbs, useTitle } from "../parts/crumbs.tsx";
import { ErrorPanel, Loading } from "../parts/states.tsx";
import { t } from "../words.ts";
import { ApprovalCard } from "./approval-card.tsx";

export function ApprovalsPage() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(portalApprovalQueries.list(api));
  useTitle(t("nav.approvals"));
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  return (
    <div className="narrow">
      <h1>{t("nav.approvals")}</h1>
      {data === undefined ? (
        <Loading />
      ) : (
        <>
          {data.open.length === 0 && <p className="quiet">{t("approval.none")}</p>}
          <div className="stack">
            {data.open.map((approval) => (
              <RowBoundary key={approval.task} row={approval} frame={putIntoPanel}>
                {() => <ApprovalCard approval={approval} />}
              </RowBoundary>
            ))}
          </div>
          {data.decided.length > 0 && (
            <section aria-labelledby="decided">
              <h2 id="decided" className="section-title">
                {t("approval.history")}
              </h2>
              <div className="stack">
                {data.decided.map((approval) => (
                  <RowBoundary key={approval.task} row={approval} frame={putIntoPanel}>
                    {() => <ApprovalCard approval={approval} short />}
                  </RowBoundary>
                ))}
              </div>
            </section>
          )}
        </>
      )}
    </div>
  );
}

/** The email about an approval links to this page. */
export function ApprovalPage({ task }: { task: string }) {
  const { api } = useCurrentAccount();
  const at = useAddresses();
  const { data, error, refetch } = useQuery(portalApprovalQueries.one(api, task));
  if (error !== null && data === undefined) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="narrow">
      <Crumbs way={[{ label: t("nav.approvals"), to: at.approvals }]} here={data.request?.subject ?? data.subject} />
      <h1 className="spoken">{t("approval.one")}</h1>
      <ApprovalCard approval={data} />
    </div>
  );
}
