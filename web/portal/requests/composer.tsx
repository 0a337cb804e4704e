import IconSend from "@tabler/icons-react/dist/esm/icons/IconSend.mjs";
import { type FormEvent, useId, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../frame/toasts.tsx";
import { TextWithFiles } from "../parts/text-with-files.tsx";
import { appendPictures, toAttachments, useFiles } from "../parts/use-files.ts";
import type { PortalRequest } from "../queries.ts";
import { useRefresh } from "../queries.ts";
import { t } from "../words.ts";

/** A reply to the people handling the request. The typed text survives a closed page. */
export function Composer({ request }: { request: PortalRequest }) {
  const { api } = useCurrentAccount();
  const draft = useDraft(`request/${request.id}/portal`);
  const files = useFiles(draft);
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const text = appendPictures(draft.text.trim(), files.files);
  const canSend = !busy && !files.isUploading && (text !== "" || files.files.length > 0);
  const send = async () => {
    if (!canSend) return;
    setBusy(true);
    const sent = { text: draft.text, files: draft.files };
    try {
      const attachments = toAttachments(sent.files);
      await api.create(`/requests/${request.id}/notes`, {
        text: text === "" ? files.files.map(({ name }) => name).join(", ") : text,
        ...(attachments.length === 0 ? {} : { attachments }),
      });
      // Text typed and files chosen meanwhile are kept.
      const now = draft.store.getState().draft;
      const others = now.files.filter(({ key }) => !sent.files.some((file) => file.key === key));
      if (now.text === sent.text && others.length === 0) draft.remove();
      else draft.set({ text: now.text.replace(sent.text, "").trimStart(), files: others });
      await refresh(request.id);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const placeholder =
    request.team === null ? t("composer.placeholder") : t("composer.placeholderTeam", { team: request.team.name });
  return (
    <form className="composer" onSubmit={onSubmit}>
      <TextWithFiles
        id={id}
        label={placeholder}
        value={draft.text}
        onChange={draft.setText}
        files={files}
        placeholder={placeholder}
        rows={1}
        onSend={() => void send()}
      >
        {draft.restored !== null && !draft.isEmpty && <span className="quiet small">{t("draft.restored")}</span>}
        <button type="submit" className="button primary send" disabled={!canSend} aria-label={t("composer.send")}>
          <span className="wide-only">{t("composer.send")}</span>
          <span className="narrow-only">
            <Icon of={IconSend} size={20} />
          </span>
        </button>
      </TextWithFiles>
    </form>
  );
}
