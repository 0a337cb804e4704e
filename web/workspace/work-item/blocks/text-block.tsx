import { Button, Textarea } from "@mantine/core";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import { useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { useDraft } from "../../../drafts/use-draft.ts";
import { errorText } from "../../../elements/error-text.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { Markup } from "../../../parts/markup/markup.tsx";
import { useSave } from "../../../parts/save/use-save.ts";
import { readText } from "../page-parts.ts";

type Props = { type: RecordType; row: Row; name: string; locked: boolean };

/** A text of the record above its timeline, edited in place: a problem's workaround. */
export function TextBlock({ type, row, name, locked }: Props) {
  const save = useSave(type, String(row.id));
  const [seen, setSeen] = useState<Row | null>(null);
  const editing = seen !== null;
  const [error, setError] = useState<unknown>(null);
  const draft = useDraft(`${type.name}/${row.id}/${name}`);
  const text = readText(row, name);
  const label = fieldLabel(name);
  const submit = async () => {
    setError(null);
    try {
      const isSaved = await save(
        { [name]: draft.text.trim() === "" ? null : draft.text },
        { message: t("request.changed", { field: label }), seen: seen ?? row },
      );
      if (isSaved) draft.remove();
      setSeen(null);
    } catch (refused) {
      setError(refused);
    }
  };
  const begin = () => {
    if (draft.text === "") draft.setText(text);
    setSeen(row);
  };
  return (
    <section className="text-block" aria-label={label}>
      <div className="text-block-head">
        <h2>{label}</h2>
        {text === "" && !editing && <span className="quiet text-block-none">{t("request.blockEmpty")}</span>}
        {!locked && !editing && (
          <button type="button" className="text-button" onClick={begin}>
            <Icon of={IconPencil} size={14} /> {text === "" ? t("request.write") : t("record.edit")}
          </button>
        )}
      </div>
      {editing ? (
        <>
          <Textarea
            autosize
            minRows={3}
            autoFocus
            aria-label={label}
            value={draft.text}
            error={error === null ? undefined : errorText(error)}
            onChange={(event) => draft.setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void submit();
              if (event.key === "Escape") setSeen(null);
            }}
          />
          <div className="dialog-actions">
            <Button variant="default" size="xs" onClick={() => setSeen(null)}>
              {t("form.cancel")}
            </Button>
            <Button size="xs" onClick={() => void submit()}>
              {t("form.save")}
            </Button>
          </div>
        </>
      ) : (
        text !== "" && <Markup text={text} />
      )}
    </section>
  );
}
