import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Kbd } from "../../elements/kbd.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { parseMinutes } from "../../fields/time/parse-minutes.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { choicesOf } from "../../languages/page-labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { DialogForm } from "../../parts/dialogs/dialog-form.tsx";
import type { Changes } from "../../parts/save/use-save.ts";
import { useCodes } from "../../queries/codes.ts";
import { ComposerFiles } from "./composer/composer-files.tsx";
import { writeMarks } from "./composer/mentions.ts";
import { appendPictures, toAttachments, useFiles } from "./composer/use-files.ts";
import type { PageParts } from "./page-parts.ts";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** for an unsuccessful end */
  title?: string;
  onComplete(changes: Changes): Promise<boolean>;
  onClose(): void;
};

/** The type's completion reason for success. */
function pickReason({ fields }: RecordType): string | null {
  const field = fields.completion_reason;
  const choices = field?.kind === "enum" ? choicesOf(field.enumeration) : [];
  return ["solved", "complete"].find((reason) => choices.includes(reason)) ?? null;
}

/**
 * Asks for the values that completing needs: reason, closure code, note, article, time. Note, files and time come from
 * the reply begun in the composer, and are sent together with the rest.
 */
export function CompleteDialog({ type, row, parts, onComplete, onClose, title = t("request.complete") }: Props) {
  const codes = useCodes("closure_code", parts.completed?.asks.includes("closure_code") ?? false);
  const asks = (parts.completed?.asks ?? []).filter((name) => name !== "closure_code" || codes.choices.length > 0);
  const {
    values,
    change,
    draft: form,
  } = useFormDraft<Changes>(`${type.name}/${row.id}/${parts.completed?.status}`, {
    ...("completion_reason" in type.fields ? { completion_reason: row.completion_reason ?? pickReason(type) } : {}),
  });
  const draft = useDraft(`${type.name}/${row.id}/note`);
  const attachments = useFiles(draft);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = new Map(error instanceof ApiError ? error.problems : []);
  const known = new Set([...asks, "note", "time_spent"]);
  const others = [...problems].filter(([field]) => !known.has(field)).map(([, words]) => words);
  const submit = async () => {
    if (busy || draft.isUploading) return;
    const minutes = parseMinutes(draft.time);
    // An invalid time isn't dropped: the person must correct it first.
    if (draft.time.trim() !== "" && minutes === null)
      return setError(new ApiError(422, "", [["time_spent", t("request.time.unknown")]]));
    const note = appendPictures(writeMarks(draft.text.trim(), draft.mentions), draft.files);
    const files = toAttachments(draft.files);
    setBusy(true);
    setError(null);
    try {
      const done = await onComplete({
        ...values,
        status: parts.completed?.status,
        ...(note === "" ? {} : { note }),
        ...(files.length === 0 ? {} : { note_attachments: files }),
        ...(minutes === null || minutes === 0 ? {} : { time_spent: minutes }),
      });
      if (!done) return;
      draft.remove();
      form.remove();
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} loose={false} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Textarea
          label={t("request.complete.note")}
          description={t("request.complete.noteHint")}
          autosize
          minRows={4}
          data-autofocus
          value={draft.text}
          readOnly={!draft.isLoaded}
          error={problems.get("note")}
          onChange={(event) => draft.setText(event.currentTarget.value)}
        />
        <ComposerFiles files={attachments} />
        {asks.map((name) => {
          const field = type.fields[name];
          const Edit = field === undefined ? undefined : getFieldKind(field).Edit;
          if (field === undefined || Edit === undefined) return null;
          const { note: _, ...plain } = field;
          return (
            <Edit
              key={name}
              name={name}
              field={plain as typeof field}
              label={fieldLabel(name)}
              value={values[name] ?? null}
              onChange={(value) => change({ [name]: value })}
              error={problems.get(name)}
              required={name === "completion_reason"}
            />
          );
        })}
        {"time_spent" in type.fields && (
          <TextInput
            label={t("request.time.spent")}
            placeholder="0:15"
            value={draft.time}
            error={problems.get("time_spent")}
            onChange={(event) => draft.set({ time: event.currentTarget.value })}
          />
        )}
        {error !== null && (others.length > 0 || problems.size === 0) && (
          <p role="alert" className="form-error">
            {others.length > 0 ? others.join(". ") : errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={draft.isUploading} rightSection={<Kbd keys="mod+enter" />}>
            {title}
          </Button>
        </div>
      </DialogForm>
    </Dialog>
  );
}
