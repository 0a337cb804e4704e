import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconRubberStamp from "@tabler/icons-react/dist/esm/icons/IconRubberStamp.mjs";
import { type FormEvent, useState } from "react";
import type { PortalApproval } from "../../../records/answers/portal.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { formatAhead, formatNear } from "../../base/moments.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { OrderedLines } from "../../parts/order/ordered-lines.tsx";
import { useAddresses } from "../addresses.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Markup } from "../parts/markup.tsx";
import { ReasonField } from "../parts/reason-field.tsx";
import { useRefresh } from "../queries.ts";
import { Link } from "../router.tsx";
import { t } from "../words.ts";

function useDecide(task: number) {
  const { api } = useCurrentAccount();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const decide = async (status: "approved" | "rejected", note: string): Promise<boolean> => {
    setBusy(true);
    try {
      await api.change(`/tasks/${task}`, { status, ...(note === "" ? {} : { note }) });
      showMessage(t(status === "approved" ? "approval.didApprove" : "approval.didReject"));
      return true;
    } catch (error) {
      // Another person was faster: the card shows who.
      showError(error instanceof ApiError && error.status === 403 ? new ApiError(422, t("approval.tooLate")) : error);
      return false;
    } finally {
      setBusy(false);
      await refresh();
    }
  };
  return { busy, decide };
}

/** One decision: the subject, the recipient, the requester, the reason and the due date. */
export function ApprovalCard({ approval, short = false }: { approval: PortalApproval; short?: boolean }) {
  const at = useAddresses();
  const now = useNow();
  const { busy, decide } = useDecide(approval.task);
  const [rejecting, setRejecting] = useState(false);
  const { request, subject } = approval;
  const isOpen = approval.status === "assigned";
  const approved = approval.votes.filter(({ status }) => status === "approved").length;
  const title = request?.subject ?? approval.workflow ?? subject;
  const Heading = short ? "h3" : "h2";
  return (
    <article className="panel approval" data-short={short || undefined}>
      <p className="approval-by">
        <Icon of={IconRubberStamp} size={18} />
        <span>
          {approval.asked_by === null ? t("approval.one") : t("approval.askedBy", { name: approval.asked_by })}
        </span>
      </p>
      <Heading>{short ? <Link to={at.approval(approval.task)}>{title}</Link> : title}</Heading>
      {title !== subject && <p className="approval-what">{subject}</p>}
      {request !== null && <OrderedLines lines={request.lines} orderedFor={request.requested_for} />}
      {!short && (
        <>
          {request?.note != null && (
            <div className="approval-why">
              <Markup text={request.note} />
            </div>
          )}
          {approval.instructions !== null && <Markup text={approval.instructions} />}
        </>
      )}
      <dl className="facts">
        {request?.requested_for != null && (
          <>
            <dt>{t("approval.for")}</dt>
            <dd>{request.requested_for}</dd>
          </>
        )}
        {request?.requested_by != null && (
          <>
            <dt>{t("approval.by")}</dt>
            <dd>{request.requested_by}</dd>
          </>
        )}
        {approval.due_at !== null && isOpen && (
          <>
            <dt>{t("approval.due")}</dt>
            <dd>{formatAhead(Date.parse(approval.due_at), now)}</dd>
          </>
        )}
        {approval.in_place_of !== null && isOpen && (
          <>
            <dt>{t("approval.inPlaceOf")}</dt>
            <dd>{approval.in_place_of}</dd>
          </>
        )}
        {!short && approval.required > 1 && (
          <>
            <dt>{t("approval.votes")}</dt>
            <dd>{t("approval.votesOf", { done: approved, needed: approval.required })}</dd>
          </>
        )}
      </dl>
      {isOpen ? (
        <div className="approval-actions">
          <button
            type="button"
            className="button primary"
            disabled={busy}
            aria-label={t("approval.approveWhat", { what: title })}
            onClick={() => void decide("approved", "")}
          >
            <Icon of={IconCheck} size={18} /> {t("approval.approve")}
          </button>
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-label={t("approval.rejectWhat", { what: title })}
            onClick={() => setRejecting(true)}
          >
            {t("approval.reject")}
          </button>
        </div>
      ) : (
        <p className="approval-done" data-status={approval.status}>
          {describeOutcome(approval, now)}
        </p>
      )}
      {rejecting && (
        <RejectDialog
          task={approval.task}
          title={title}
          busy={busy}
          onClose={() => setRejecting(false)}
          onReject={async (note) => {
            const isRejected = await decide("rejected", note);
            if (isRejected) setRejecting(false);
            return isRejected;
          }}
        />
      )}
    </article>
  );
}

/** "Approved by Linnea Frost, 12 min ago". */
function describeOutcome(approval: PortalApproval, now: number): string {
  const names = approval.votes.filter(({ status }) => status === approval.status).map(({ name }) => name);
  const when = approval.finished_at === null ? "" : formatNear(Date.parse(approval.finished_at), now);
  const status = ["approved", "rejected"].includes(approval.status) ? approval.status : "other";
  return t("approval.outcome", { status, names: names.join(", "), when }).replace(/[\s,·]+$/, "");
}

type DialogProps = {
  task: number;
  title: string;
  busy: boolean;
  onClose(): void;
  /** whether it was rejected */
  onReject(note: string): Promise<boolean>;
};

function RejectDialog({ task, title, busy, onClose, onReject }: DialogProps) {
  // The workspace has the same decision and shares this draft.
  const draft = useDraft(`task/${task}/decision`);
  const [missing, setMissing] = useState(false);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (draft.text.trim() === "") setMissing(true);
    else if (await onReject(draft.text.trim())) draft.remove();
  };
  return (
    <Dialog title={t("approval.rejectTitle", { what: title })} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate>
        <ReasonField
          label={t("approval.why")}
          value={draft.text}
          rows={4}
          problem={missing ? t("approval.whyMissing") : null}
          onChange={(text) => {
            draft.setText(text);
            setMissing(false);
          }}
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="button danger" disabled={busy}>
            {t("approval.rejectNow")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
