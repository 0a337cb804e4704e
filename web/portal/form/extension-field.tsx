import type { FormField } from "../../../records/answers/portal-forms.ts";
import { type FormValues, type Problem, splitChoices } from "../../parts/forms/extension-values.ts";
import { FileList } from "../parts/text-with-files.tsx";
import type { Files } from "../parts/use-files.ts";
import { t } from "../words.ts";

type Props = {
  field: FormField;
  values: FormValues;
  onChange(value: string): void;
  problem: Problem | null;
  files: Files;
};

/** One field of the form; a few choices are buttons, many a list. */
export function ExtensionField({ field, values, onChange, problem, files }: Props) {
  const id = `field-${field.id.replace(/\W+/g, "-")}`;
  if (field.kind === "heading") return <h2 className="form-heading">{field.label}</h2>;
  if (field.kind === "help") return <p className="form-help">{field.label}</p>;
  const value = values[field.id] ?? "";
  const described = [field.help !== null && `${id}-help`, problem !== null && `${id}-error`].filter(Boolean).join(" ");
  const common = {
    id,
    "aria-describedby": described === "" ? undefined : described,
    "aria-invalid": problem !== null || undefined,
    "aria-required": field.required || undefined,
  };
  const isGroup = (field.kind === "choice" && field.options.length <= 4) || field.kind === "choices";
  const label = (
    <>
      {field.label} {!field.required && field.kind !== "switch" && <span className="quiet">{t("form.optional")}</span>}
    </>
  );
  const after = (
    <>
      {field.help !== null && (
        <p className="field-help" id={`${id}-help`}>
          {field.help}
        </p>
      )}
      {problem !== null && (
        <p className="field-error" id={`${id}-error`}>
          {t(`form.problem.${problem}`, { label: field.label })}
        </p>
      )}
    </>
  );
  if (isGroup) {
    const several = field.kind === "choices";
    const chosen = several ? splitChoices(value) : [value];
    const choose = (one: string) => {
      if (!several) return onChange(one);
      onChange((chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one]).join("\n"));
    };
    return (
      <fieldset
        className="field"
        aria-describedby={common["aria-describedby"]}
        id={id}
        tabIndex={-1}
        data-invalid={problem !== null || undefined}
      >
        <legend className="label">{label}</legend>
        <div className="choices">
          {field.options.map((option) => (
            <label key={option.value} className="choice">
              <input
                type={several ? "checkbox" : "radio"}
                name={id}
                checked={chosen.includes(option.value)}
                onChange={() => choose(option.value)}
              />
              <span>{option.label}</span>
            </label>
          ))}
        </div>
        {after}
      </fieldset>
    );
  }
  if (field.kind === "switch")
    return (
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            {...common}
            checked={value === "true"}
            onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
          />
          <span>{field.label}</span>
        </label>
        {after}
      </div>
    );
  return (
    <div className="field" data-short={["date", "datetime", "number"].includes(field.kind) || undefined}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <Input field={field} value={value} onChange={onChange} files={files} common={common} />
      {after}
    </div>
  );
}

type InputProps = Pick<Props, "field" | "onChange" | "files"> & { value: string; common: Record<string, unknown> };

const inputTypes: Readonly<Record<string, string>> = { date: "date", datetime: "datetime-local", email: "email" };

function Input({ field, value, onChange, files, common }: InputProps) {
  if (field.kind === "long_text")
    return (
      <textarea
        {...common}
        className="input"
        rows={3}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (field.kind === "choice")
    return (
      <select {...common} className="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{t("form.choose")}</option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  if (field.kind === "files")
    return (
      <>
        <input
          {...common}
          className="input file-input"
          type="file"
          multiple
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            files.add(chosen);
            onChange([...splitChoices(value), ...chosen.map(({ name }) => name)].join("\n"));
          }}
        />
        <FileList files={files} />
      </>
    );
  return (
    <input
      {...common}
      className="input"
      type={inputTypes[field.kind] ?? "text"}
      inputMode={field.kind === "number" ? "decimal" : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
