import { type KeyboardEvent, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { useValueDraft } from "../../../drafts/use-form-draft.ts";
import { getFieldKind } from "../../../fields/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";

/** Kinds with a choice of values: choosing one saves it. */
const chosen = ["enum", "reference", "boolean", "code", "timeZone"];

export function isEditable(type: RecordType, name: string): boolean {
  const field = type.fields[name];
  if (field === undefined || field.access === "readonly" || field.internal || field.onCreateOnly || field.transient)
    return false;
  const { Edit, wide } = getFieldKind(field);
  return Edit !== undefined && wide !== true && name !== "disabled";
}

type Props = {
  type: RecordType;
  name: string;
  row: Row;
  /** `seen`: the row when the editor opened; others may have changed it since (D-757) */
  onSave(value: unknown, seen: Row): Promise<boolean>;
  onClose(): void;
};

/** The input of a field in place of its value. Enter saves, Esc discards; otherwise the input is stored as a draft. */
export function CellEditor({ type, name, row, onSave, onClose }: Props) {
  const field = type.fields[name];
  const [seen] = useState(row);
  const key = `${type.name}/${row.id}/cell/${name}`;
  const { value, setValue, removeAfter, draft } = useValueDraft<unknown>(key, row[name] ?? null);
  if (field === undefined) return null;
  const { Edit } = getFieldKind(field);
  if (Edit === undefined) return null;
  const isChosen = chosen.includes(field.kind);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      draft.remove();
      onClose();
      event.currentTarget.closest<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
    }
    if (event.key === "Enter" && !isChosen) {
      event.preventDefault();
      event.stopPropagation();
      void removeAfter(onSave(value, seen));
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc and Enter bubble up from the input inside
    <span
      className="list-editor"
      ref={(element) => element?.querySelector<HTMLElement>("input, textarea, button")?.focus()}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose();
      }}
    >
      <Edit
        name={name}
        field={field}
        label={fieldLabel(name)}
        value={value}
        onChange={(wanted: unknown) => {
          if (isChosen) void onSave(wanted, seen);
          else setValue(wanted);
        }}
        required={field.access === "required"}
      />
    </span>
  );
}
