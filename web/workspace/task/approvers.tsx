import { useCurrentAccount } from "../../api/current-account.ts";
import { t } from "../../languages/index.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { StatusIcon, statusLabel } from "../../parts/work/status.tsx";
import type { PanelProps } from "../work-item/panels/panel-props.ts";
import { type Approval, summarizeApprovals, useApprovals } from "./approvals.ts";
import "../../styles/workflow.css";

/** The approvers, their votes, and the required number. */
export default function TaskApprovers({ row }: PanelProps) {
  const { who } = useCurrentAccount();
  const { data, error, refetch } = useApprovals(row.id, row.category === "approval");
  if (row.category !== "approval") return null;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  const { approved, needed } = summarizeApprovals(data, row.required_approvals, who.person.id);
  return (
    <section className="approvers" aria-labelledby="approvers-title">
      <h2 id="approvers-title">{t("task.approvals")}</h2>
      <ul className="approver-list">
        {data.map((approval) => (
          <li key={approval.id}>
            <Avatar person={approval.approver} size={24} silent />
            <span className="approver-name">{approval.approver.name}</span>
            <span className="quiet approver-words">{describe(approval, who.person.id)}</span>
            <StatusIcon type="task_approval" status={approval.status} silent />
          </li>
        ))}
      </ul>
      <div className="approval-bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(100, Math.round((approved / needed) * 100))}%` }} />
      </div>
      <p className="quiet small">{t("task.approvals.needed", { given: approved, count: needed })}</p>
    </section>
  );
}

function describe({ approver, status, delegate, isAway }: Approval, person: number): string {
  if (status === "assigned" || status === "registered") {
    if (isAway) return delegate === null ? t("task.away") : t("task.awayDelegate", { name: delegate.name ?? "" });
    if (approver.id === person) return t("task.you");
  }
  return statusLabel("task_approval", status);
}
