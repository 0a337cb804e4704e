import { type FormEvent, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { showError, showMessage } from "../frame/toasts.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ReasonField } from "../parts/reason-field.tsx";
import type { PortalRequest } from "../queries.ts";
import { useRefresh } from "../queries.ts";
import { t } from "../words.ts";

type Props = {
  request: PortalRequest;
  /** "dissatisfied": a solution that didn't help, which also reopens the request */
  doing: "withdraw" | "reopen" | "dissatisfied";
  onClose(): void;
};

/** "I no longer need this", and reopening: both ask for a reason. */
export function CloseDialog({ request, doing, onClose }: Props) {
  const { api } = useCurrentAccount();
  const refresh = useRefresh();
  const draft = useDraft(`request/${request.id}/${doing}`);
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const words = draft.text.trim();
    if (words === "") return setMissing(true);
    setBusy(true);
    try {
      const path = `/requests/${request.id}`;
      if (doing === "dissatisfied")
        await api.call("POST /requests/:id/dissatisfied", { id: request.id }, { note: words, reopen: true });
      else {
        const withdrawn = { status: "completed", completion_reason: "withdrawn" };
        await api.change(path, { ...(doing === "withdraw" ? withdrawn : { status: "assigned" }), note: words });
      }
      draft.remove();
      showMessage(t(doing === "withdraw" ? "withdraw.done" : "reopen.done"));
      onClose();
      await refresh(request.id);
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t(doing === "withdraw" ? "withdraw.title" : "reopen.title")} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate>
        <ReasonField
          label={t(doing === "withdraw" ? "withdraw.why" : "reopen.why")}
          value={draft.text}
          rows={3}
          problem={missing ? t("whyMissing") : null}
          onChange={(text) => {
            draft.setText(text);
            setMissing(false);
          }}
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="button primary" disabled={busy}>
            {t(doing === "withdraw" ? "withdraw.now" : "reopen.now")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
