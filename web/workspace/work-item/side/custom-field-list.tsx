import { Switch, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { formatDate } from "../../../base/formats.ts";
import { useValueDraft } from "../../../drafts/use-form-draft.ts";
import { errorText } from "../../../elements/error-text.ts";
import { showError, showUndo } from "../../../elements/toast.tsx";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { PropertyRow } from "../../../parts/property-row.tsx";
import { useSave } from "../../../parts/save/use-save.ts";
import { useSettled } from "../../../queries/record-page.ts";
import type { Reference } from "../../../queries/reference.ts";
import { formQueries } from "../../../queries/work/form-inputs.ts";
import { type FormInput, nameToLabel, readFormInputs } from "./form-inputs.ts";

type Values = Readonly<Record<string, unknown>>;
type Props = {
  type: RecordType;
  row: Row;
  values: Values;
  extension: Reference | null;
  template: Reference | null;
  locked: boolean;
};

/** The inputs of the record's UI extension, with labels in the reader's language. */
function useFormInputs(extension: Reference | null, template: Reference | null): readonly FormInput[] {
  const { api } = useCurrentAccount();
  // Values are shown immediately, under the name of their field; labels and empty fields follow.
  const late = useSettled("late");
  const { data } = useQuery({
    ...formQueries.html(api, extension?.id ?? null, template?.id ?? null),
    enabled: late && (extension !== null || template !== null),
    select: readFormInputs,
  });
  return data ?? [];
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined && value !== "";

export default function CustomFieldList({ type, row, values, extension, template, locked }: Props) {
  const save = useSave(type, String(row.id));
  const inputs = useFormInputs(extension, template);
  const latest = useRef(values);
  latest.current = values;
  const [all, setAll] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const unknown = Object.keys(values)
    .filter((name) => !inputs.some((input) => input.name === name))
    .map((name): FormInput => ({ name, label: nameToLabel(name), kind: "text", choices: [] }));
  const known = [...inputs, ...unknown];
  const empty = known.filter(({ name }) => !isFilled(values[name]));
  const shown = all ? known : known.filter((input) => !empty.includes(input));
  /** Resolves to false if the value was rejected. */
  const change = async ({ name, label }: FormInput, value: unknown, seen: unknown): Promise<boolean> => {
    setErrors(({ [name]: _, ...rest }) => rest);
    const before = values[name] ?? null;
    try {
      const isSaved = await save(
        { custom_fields: { ...values, [name]: value } },
        { seen: { ...row, custom_fields: { ...values, [name]: seen } } },
      );
      // Keeps later changes of the other fields.
      const undo = () => save({ custom_fields: { ...latest.current, [name]: before } }).catch(showError);
      if (isSaved) showUndo(t("request.changed", { field: label }), undo);
      return true;
    } catch (error) {
      setErrors((was) => ({ ...was, [name]: errorText(error) }));
      return false;
    }
  };
  return (
    <>
      {shown.map((input) => (
        <CustomField
          key={input.name}
          input={input}
          draftKey={`${type.name}/${row.id}/custom_fields/${input.name}`}
          value={values[input.name]}
          locked={locked}
          error={errors[input.name]}
          onChange={(value, seen) => change(input, value, seen)}
        />
      ))}
      {!all && empty.length > 0 && !locked && (
        <button type="button" className="text-button add-field custom-more" onClick={() => setAll(true)}>
          {t("request.moreCustomFields", { count: empty.length })}
        </button>
      )}
    </>
  );
}

type FieldProps = {
  input: FormInput;
  value: unknown;
  locked: boolean;
  /** the draft's key until the value is saved */
  draftKey: string;
  error: string | undefined;
  /** `seen`: what the person saw when the editor opened (D-757) */
  onChange(value: unknown, seen: unknown): Promise<boolean>;
};

function CustomField({ input, draftKey, value, locked, error, onChange }: FieldProps) {
  if (input.kind === "yesNo" && !locked)
    return (
      <PropertyRow label={input.label} error={error}>
        <Switch
          size="xs"
          aria-label={input.label}
          checked={value === true || value === "true" || value === "on"}
          onChange={(event) => void onChange(event.currentTarget.checked, value)}
        />
      </PropertyRow>
    );
  return (
    <PropertyRow
      label={input.label}
      error={error}
      edit={
        locked
          ? undefined
          : (close) => (
              <CustomEditor input={input} draftKey={draftKey} value={value} onSave={onChange} onClose={close} />
            )
      }
    >
      {isFilled(value) ? formatValue(input, value) : <span className="quiet">{t("request.none")}</span>}
    </PropertyRow>
  );
}

function formatValue({ kind, choices }: FormInput, value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (typeof value === "boolean") return t(value ? "request.yes" : "request.no");
  if (kind === "choice") return choices.find((choice) => choice.value === text)?.label ?? text;
  return kind === "date" && /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDate(text) : text;
}

type EditorProps = Pick<FieldProps, "input" | "draftKey" | "value"> & {
  onSave: FieldProps["onChange"];
  onClose(): void;
};

function CustomEditor({ input, draftKey, value: now, onSave, onClose }: EditorProps) {
  const [value] = useState(now);
  const start = isFilled(value) ? String(value) : "";
  const { value: text, setValue: setText, removeAfter, draft } = useValueDraft(draftKey, start);
  // The input also loses the focus after Enter and Escape, which must not save or discard again.
  const isDone = useRef(false);
  const finish = (wanted: string) => {
    if (isDone.current) return;
    isDone.current = true;
    onClose();
    if (wanted !== start)
      void removeAfter(onSave(wanted === "" ? null : input.kind === "number" ? Number(wanted) : wanted, value));
  };
  const common = { size: "xs", autoFocus: true, "aria-label": input.label } as const;
  if (input.kind === "choice")
    return (
      <Select
        {...common}
        data={[...input.choices]}
        value={start === "" ? null : start}
        clearable={start !== ""}
        allowDeselect={false}
        defaultDropdownOpened
        onChange={(wanted) => finish(wanted ?? "")}
        onDropdownClose={onClose}
      />
    );
  const isLong = input.kind === "long";
  const Input = isLong ? Textarea : TextInput;
  return (
    <Input
      {...common}
      {...(isLong ? { autosize: true, minRows: 2 } : { type: input.kind })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") {
          isDone.current = true;
          draft.remove();
        }
        if (event.key !== "Enter" || (isLong && !event.ctrlKey && !event.metaKey)) return;
        event.preventDefault();
        finish(text);
      }}
      onBlur={() => finish(text)}
    />
  );
}
