import { Button, Checkbox, FileButton, Textarea, TextInput } from "@mantine/core";
import type { FormField } from "../../../records/answers/portal-forms.ts";
import { MultiSelect } from "../../fields/pickers/multi-select.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { type FormValues, isShown, splitChoices } from "../../parts/forms/extension-values.ts";
import type { Files } from "../../uploads/use-files.ts";
import { customName } from "./form-state.ts";

type Props = {
  title: string | null;
  fields: readonly FormField[];
  values: FormValues;
  errors: ReadonlyMap<string, string>;
  files: Files;
  onChange(id: string, value: string): void;
};

/** The form of the chosen template, in order. */
export default function TemplateFields({ title, fields, values, errors, files, onChange }: Props) {
  const shown = fields.filter((field) => isShown(field, fields, values));
  return (
    <fieldset className="template-fields">
      {title !== null && <legend className="new-request-label">{title}</legend>}
      {shown.map((field) => (
        <div key={field.id} data-field={customName(field.id)} data-wide={isWide(field) || undefined}>
          <TemplateField
            field={field}
            value={values[field.id] ?? ""}
            error={errors.get(customName(field.id))}
            files={files}
            onChange={(value) => onChange(field.id, value)}
          />
        </div>
      ))}
    </fieldset>
  );
}

const isWide = ({ kind }: FormField): boolean => ["long_text", "heading", "help", "choices", "files"].includes(kind);
const inputTypes: Readonly<Record<string, string>> = { date: "date", datetime: "datetime-local", email: "email" };

type FieldProps = {
  field: FormField;
  value: string;
  error: string | undefined;
  files: Files;
  onChange(value: string): void;
};

function TemplateField({ field, value, error, files, onChange }: FieldProps) {
  const { kind, label, help, required, options } = field;
  const common = { label, description: help, error, withAsterisk: required };
  if (kind === "heading") return <h3 className="template-heading">{label}</h3>;
  if (kind === "help") return <p className="quiet small">{label}</p>;
  if (kind === "switch")
    return (
      <Checkbox
        label={label}
        description={help}
        error={error}
        checked={value === "true"}
        onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
      />
    );
  if (kind === "choice")
    return (
      <Select
        {...common}
        data={[...options]}
        value={value === "" ? null : value}
        clearable={!required}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  if (kind === "choices")
    return (
      <MultiSelect
        {...common}
        data={[...options]}
        value={splitChoices(value)}
        onChange={(chosen) => onChange(chosen.join("\n"))}
      />
    );
  if (kind === "long_text")
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (kind === "files")
    return (
      <>
        <FileButton
          multiple
          onChange={(chosen) => {
            files.add(chosen);
            onChange([...splitChoices(value), ...chosen.map(({ name }) => name)].join("\n"));
          }}
        >
          {(button) => (
            <Button {...button} variant="default" size="xs">
              {label}
            </Button>
          )}
        </FileButton>
        <p className="quiet small">{splitChoices(value).join(", ") || t("newRequest.files")}</p>
        {error !== undefined && <p className="form-error">{error}</p>}
      </>
    );
  return (
    <TextInput
      {...common}
      type={inputTypes[kind] ?? "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
