import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { type FormEvent, useId, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { showError, showMessage } from "../frame/toasts.tsx";
import { Dialog } from "../parts/dialog.tsx";
import type { PortalRequest } from "../queries.ts";
import { useRefresh } from "../queries.ts";
import { t } from "../words.ts";

type Watch = { id: number; person: { id: number; name: string } };
type Props = { request: PortalRequest; watches: readonly Watch[]; mayRemove: boolean };

export function Followers({ request, watches, mayRemove }: Props) {
  const { api } = useCurrentAccount();
  const refresh = useRefresh();
  const remove = async ({ id, person }: Watch) => {
    try {
      await api.call("DELETE /portal/requests/:id/watchers/:watch", { id: request.id, watch: id });
      showMessage(t("followers.removed", { name: person.name }));
      await refresh(request.id);
    } catch (error) {
      showError(error);
    }
  };
  if (watches.length === 0) return null;
  return (
    <>
      <dt>{t("followers.title")}</dt>
      <dd>
        <ul className="followers">
          {watches.map((watch) => (
            <li key={watch.id}>
              <Avatar person={watch.person} size={24} silent />
              <span>{watch.person.name}</span>
              {mayRemove && (
                <button
                  type="button"
                  className="plain"
                  aria-label={t("followers.remove", { name: watch.person.name })}
                  onClick={() => void remove(watch)}
                >
                  <Icon of={IconX} size={14} />
                </button>
              )}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

/** A requester can't see the directory, but knows a colleague's address. */
export function AddColleague({ request, onClose }: { request: PortalRequest; onClose(): void }) {
  const { api } = useCurrentAccount();
  const refresh = useRefresh();
  const draft = useDraft(`request/${request.id}/follower`);
  const email = draft.text;
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (!/^\S+@\S+$/.test(email.trim())) return setProblem(t("followers.noAddress"));
    setBusy(true);
    try {
      const { person } = await api.call(
        "POST /portal/requests/:id/watchers",
        { id: request.id },
        { email: email.trim() },
      );
      draft.remove();
      showMessage(t("followers.added", { name: person.name }));
      onClose();
      await refresh(request.id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) setProblem(t("followers.unknown"));
      else showError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("followers.add")} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate>
        <p className="quiet">{t("followers.lead")}</p>
        <label htmlFor={id} className="label">
          {t("followers.email")}
        </label>
        <input
          id={id}
          className="input"
          type="email"
          autoComplete="off"
          value={email}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          onChange={(event) => {
            draft.setText(event.currentTarget.value);
            setProblem(null);
          }}
        />
        {problem !== null && (
          <p className="field-error" id={`${id}-error`}>
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="button primary" disabled={busy}>
            {t("followers.addNow")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
