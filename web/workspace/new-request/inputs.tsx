import { type Ref, useState } from "react";
import { request as requestType } from "../../../records/work/request.ts";
import type { Row } from "../../api/index.ts";
import { findType } from "../../base/record-types.ts";
import { Chip } from "../../elements/chip.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";
import { useReferenceOptions } from "../../queries/reference-options.ts";
import { readText } from "../work-item/page-parts.ts";
import type { furtherFields } from "./build-body.ts";
import type { NewRequestState } from "./form-state.ts";

// The inputs of the dialog other than the person: service, template, and the fields behind "Change".

type ServiceProps = {
  state: NewRequestState;
  suggested: boolean;
  options: readonly Row[];
  error: string | undefined;
  onChange(service: Reference | null): void;
};

/** Suggestions first, then all services. */
export function ServiceSelect({ state, suggested, options, error, onChange }: ServiceProps) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState("");
  const all = useReferenceOptions(findType("service_instance"), "", opened);
  const best = options.map((row): Reference => ({ id: row.id, name: readText(row, "name") }));
  const rest = all.options.filter(({ id }) => !best.some((each) => each.id === id));
  const chosen = state.service_instance;
  const known = [...best, ...rest];
  const listed = chosen !== null && !known.some(({ id }) => id === chosen.id) ? [chosen, ...known] : known;
  return (
    <Select
      label={t("newRequest.service")}
      withAsterisk
      searchable
      allowDeselect={false}
      className="new-request-service"
      data-field="service_instance"
      clearable={chosen !== null && !suggested}
      error={error}
      value={chosen === null ? null : String(chosen.id)}
      data={listed.map((each) => ({ value: String(each.id), label: getReferenceName(each) }))}
      limit={60}
      isLoading={all.loading}
      onDropdownOpen={() => setOpened(true)}
      searchValue={text}
      onSearchChange={setText}
      // Also if it is the suggested one: then it becomes the person's choice, and the typed text is cleared.
      onOptionSubmit={(id) => {
        const found = listed.find((each) => String(each.id) === id);
        if (found === undefined) return;
        setText(getReferenceName(found));
        onChange(found);
      }}
      onChange={(id) => id === null && onChange(null)}
      {...(suggested
        ? { rightSection: <Chip tone="teal">{t("newRequest.suggested")}</Chip>, rightSectionWidth: 96 }
        : {})}
    />
  );
}

type TemplateProps = { inputRef: Ref<HTMLInputElement>; onChange(template: Reference | null): void };

/** Searches all templates; the chosen one is shown beside the input, so the typed text is cleared. */
export function TemplateSelect({ inputRef, onChange }: TemplateProps) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState("");
  const { options, loading } = useReferenceOptions(findType("request_template"), "", opened);
  return (
    <Select
      ref={inputRef}
      size="xs"
      w={140}
      searchable
      searchValue={text}
      onSearchChange={setText}
      rightSection={<Kbd keys="t" />}
      aria-label={t("newRequest.template")}
      placeholder={t("newRequest.allTemplates")}
      value={null}
      data={options.map((each) => ({ value: String(each.id), label: getReferenceName(each) }))}
      limit={60}
      comboboxProps={{ width: 320, position: "bottom-start" }}
      isLoading={loading}
      onDropdownOpen={() => setOpened(true)}
      onChange={(id) => {
        setText("");
        onChange(options.find((each) => String(each.id) === id) ?? null);
      }}
    />
  );
}

type FurtherProps = {
  name: (typeof furtherFields)[number];
  value: unknown;
  derived: Row | undefined;
  error: string | undefined;
  onChange(value: unknown): void;
};

/** A field that is derived unless the person sets it. */
export function FurtherField({ name, value, derived, error, onChange }: FurtherProps) {
  const field = requestType.fields[name];
  const { Edit } = getFieldKind(field);
  if (Edit === undefined) return null;
  const plain = { ...field, note: undefined };
  return (
    <div data-field={name}>
      <Edit
        name={name}
        field={plain}
        label={fieldLabel(name)}
        value={value ?? derived?.[name] ?? null}
        onChange={onChange}
        error={error}
        required={name === "category"}
      />
    </div>
  );
}
