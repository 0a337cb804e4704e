import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { findType } from "../../base/record-types.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { DialogForm } from "../../parts/dialogs/dialog-form.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { CompleteDialog } from "../work-item/complete-dialog.tsx";
import { writeMarks } from "../work-item/composer/mentions.ts";
import { getPageParts } from "../work-item/page-parts.ts";
import type { Card, Column } from "./picture.ts";
import type { FurtherChanges } from "./use-moves.ts";
import "../../styles/request.css";

type Props = {
  card: Card;
  column: Column;
  onMove(further: FurtherChanges): Promise<void>;
  onClose(): void;
};

/**
 * Asks for the values that a column requires before a card enters it. If it is closed without an answer, the card stays
 * where it is.
 */
export default function MoveDialog({ card, column, onMove, onClose }: Props) {
  const type = findType(card.type);
  const parts =
    type !== undefined && (card.type === "request" || card.type === "problem") ? getPageParts(card.type) : null;
  if (type !== undefined && parts?.completed != null && column.action_type === "complete")
    return (
      <CompleteDialog
        type={type}
        row={{ id: card.id }}
        parts={parts}
        onClose={onClose}
        onComplete={async (changes) => {
          await onMove(Object.fromEntries(Object.entries(changes).map(([name, value]) => toBody(name, value))));
          return true;
        }}
      />
    );
  return <NoteDialog card={card} column={column} onMove={onMove} onClose={onClose} />;
}

/** The API names references by their id. */
const toBody = (name: string, value: unknown): [string, unknown] =>
  typeof value === "object" && value !== null && "id" in value ? [`${name}_id`, value.id] : [name, value];

function NoteDialog({ card, column, onMove, onClose }: Props) {
  const draft = useDraft(`${card.type}/${card.id}/note`);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await onMove(draft.text.trim() === "" ? {} : { note: writeMarks(draft.text.trim(), draft.mentions) });
      draft.setText("");
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("boards.moveInto", { id: formatWorkId(card.type, card.id), column: column.name })}
      onClose={onClose}
    >
      <DialogForm onSubmit={submit}>
        <Textarea
          label={t("boards.note")}
          autosize
          minRows={3}
          data-autofocus
          value={draft.text}
          onChange={(event) => draft.setText(event.currentTarget.value)}
        />
        {error !== null && (
          <p role="alert" className="form-error">
            {errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("boards.move")}
          </Button>
        </div>
      </DialogForm>
    </Dialog>
  );
}
