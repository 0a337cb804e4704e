import { useQuery } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { Markup } from "../../parts/markup/markup.tsx";
import { OrderedLines } from "../../parts/order/ordered-lines.tsx";
import { approvalQueries } from "../../queries/work/approvals.ts";

/** The background of the decision: the recipient, the requester, the ordered items with prices, and the reason. */
export function ApprovalBackground({ task }: { task: number }) {
  const { api } = useCurrentAccount();
  const { data } = useQuery(approvalQueries.background(api, task));
  const request = data?.request;
  if (request == null) return null;
  return (
    <div className="decision-background">
      <p>
        <b>{request.subject}</b>
      </p>
      <p>
        {request.requested_for !== null && t("task.decision.for", { name: request.requested_for })}
        {request.requested_by !== null && <> · {t("task.decision.requestedBy", { name: request.requested_by })}</>}
      </p>
      <OrderedLines lines={request.lines} orderedFor={request.requested_for} />
      {request.note !== null && (
        <div className="decision-why">
          <Markup text={request.note} />
        </div>
      )}
    </div>
  );
}
