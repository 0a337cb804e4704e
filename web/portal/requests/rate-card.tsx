import IconMoodSad from "@tabler/icons-react/dist/esm/icons/IconMoodSad.mjs";
import IconMoodSmile from "@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs";
import { type FormEvent, useId, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError, showMessage } from "../frame/toasts.tsx";
import { ReasonField } from "../parts/reason-field.tsx";
import type { PortalRequest } from "../queries.ts";
import { useRefresh } from "../queries.ts";
import { t } from "../words.ts";

/** "Did this help?": one click for yes; no asks for details, and can reopen the request. */
export function RateCard({ request }: { request: PortalRequest }) {
  const { api } = useCurrentAccount();
  const refresh = useRefresh();
  const { values, change, draft } = useFormDraft(`request/${request.id}/rating`, { note: "", reopen: true });
  const [asks, setAsking] = useState<boolean | null>(null);
  const asking = asks ?? !draft.isEmpty;
  const id = useId();
  const { note, reopen } = values;
  const [problem, setProblem] = useState(false);
  const [busy, setBusy] = useState(false);
  const answer = async (send: () => Promise<unknown>) => {
    setBusy(true);
    try {
      // 304: already answered, which counts as success.
      await send().catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 304)) throw error;
      });
      draft.remove();
      showMessage(t("rate.thanks"));
      await refresh(request.id);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (note.trim() === "") setProblem(true);
    else
      void answer(() => api.call("POST /requests/:id/dissatisfied", { id: request.id }, { note: note.trim(), reopen }));
  };
  return (
    <section className="panel rate" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("rate.question")}</h2>
      {asking ? (
        <form onSubmit={onSubmit} noValidate>
          <ReasonField
            label={t("rate.why")}
            value={note}
            rows={3}
            problem={problem ? t("rate.whyMissing") : null}
            autoFocus
            onChange={(text) => {
              change({ note: text });
              setProblem(false);
            }}
          />
          <label className="check">
            <input
              type="checkbox"
              checked={reopen}
              onChange={(event) => change({ reopen: event.currentTarget.checked })}
            />
            <span>{t("rate.reopen")}</span>
          </label>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {t("cancel")}
            </button>
            <button type="submit" className="button primary" disabled={busy}>
              {t("composer.send")}
            </button>
          </div>
        </form>
      ) : (
        <div className="rate-buttons">
          <button
            type="button"
            className="button"
            disabled={busy}
            onClick={() => void answer(() => api.call("POST /requests/:id/satisfied", { id: request.id }))}
          >
            <Icon of={IconMoodSmile} size={20} /> {t("rate.yes")}
          </button>
          <button type="button" className="button" disabled={busy} onClick={() => setAsking(true)}>
            <Icon of={IconMoodSad} size={20} /> {t("rate.no")}
          </button>
        </div>
      )}
    </section>
  );
}
