import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useDraft } from "../../drafts/use-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { DialogForm } from "../../parts/dialogs/dialog-form.tsx";
import { statusLabel } from "../../parts/work/status.tsx";

type Props = {
  type: string;
  id: number;
  status: string;
  onRefuse(note: string): Promise<unknown> | unknown;
  onClose(): void;
};

/** Asks for the reason of a negative status. The API accepts the status without a note; the interface requires one. */
export default function RefusalDialog({ type, id, status, onRefuse, onClose }: Props) {
  const draft = useDraft(`${type}/${id}/refusal`);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const note = draft.text.trim();
  const isReady = note !== "" && !busy;
  const submit = async () => {
    if (!isReady) return;
    setBusy(true);
    setError(null);
    try {
      await onRefuse(note);
      draft.remove();
      onClose();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  const title = t("request.refuse", { status: statusLabel(type, status) });
  return (
    <Dialog title={title} loose={false} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Textarea
          label={t("request.refuse.note")}
          {...(type === "request" ? { description: t("request.complete.noteHint") } : {})}
          required
          autosize
          minRows={4}
          data-autofocus
          value={draft.text}
          error={error === null ? undefined : errorText(error)}
          onChange={(event) => draft.setText(event.currentTarget.value)}
        />
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" disabled={!isReady} loading={busy} rightSection={<Kbd keys="mod+enter" />}>
            {title}
          </Button>
        </div>
      </DialogForm>
    </Dialog>
  );
}
