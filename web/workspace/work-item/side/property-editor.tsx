import { TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import type { Field, RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { findType } from "../../../base/record-types.ts";
import { useValueDraft } from "../../../drafts/use-form-draft.ts";
import type { FieldWithKind } from "../../../fields/field-kind.ts";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { fieldLabel } from "../../../languages/labels.ts";
import { ImpactIcon } from "../../../parts/work/impact.tsx";
import { StatusIcon } from "../../../parts/work/status.tsx";
import { useCodes } from "../../../queries/codes.ts";
import { useEnumeration } from "../../../queries/index.ts";
import { useTeamMembers } from "../../../queries/record-page.ts";
import { getReferenceName, type Reference } from "../../../queries/reference.ts";
import { useReferenceOptions } from "../../../queries/reference-options.ts";
import { getReference } from "../page-parts.ts";
import { usePeople } from "./use-people.ts";

// The input that replaces a value while it is edited: Enter saves, Esc discards the change.

export type EditorProps = {
  type: RecordType;
  name: string;
  row: Row;
  /** resolves to false if the value was rejected */
  onSave(value: unknown): Promise<boolean>;
  onClose(): void;
};

/** `seen`: the record when the editor opened; others may have changed it since (D-757) */
type Props = Omit<EditorProps, "onSave"> & { onSave(value: unknown, seen: Row): Promise<boolean> };

type Option = { value: string; label: string };

type ListProps = {
  label: string;
  options: readonly Option[];
  value: string | null;
  clearable: boolean;
  loading?: boolean;
  renderOption?: (option: Option) => ReactNode;
  onSearch?: (text: string) => void;
  onChoose(value: string | null): unknown;
  onClose(): void;
};

/** A list that is initially open; a choice saves. */
function OpenList({ label, options, value, clearable, loading, renderOption, onSearch, onChoose, onClose }: ListProps) {
  return (
    <Select
      aria-label={label}
      size="xs"
      data={[...options]}
      value={value}
      searchable
      autoFocus
      defaultDropdownOpened
      clearable={clearable && value !== null}
      allowDeselect={false}
      limit={60}
      maxDropdownHeight={300}
      comboboxProps={{ width: 280, position: "bottom-end" }}
      isLoading={loading}
      {...(renderOption === undefined
        ? {}
        : { renderOption: ({ option }: { option: Option }) => renderOption(option) })}
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch, filter: ({ options: all }) => all })}
      onChange={onChoose}
      onDropdownClose={onClose}
    />
  );
}

type EnumProps = EditorProps & { field: FieldWithKind<"enum"> };

function EnumEditor({ type, name, row, field, onSave, onClose }: EnumProps) {
  const options = useEnumeration(field.enumeration, field.values);
  const withIcon = (option: Option) => (
    <span className="status-chip">
      {name === "status" && <StatusIcon type={type.name} status={option.value} silent />}
      {name === "impact" && <ImpactIcon impact={option.value} silent />}
      <span>{option.label}</span>
    </span>
  );
  return (
    <OpenList
      label={fieldLabel(name)}
      options={options}
      value={typeof row[name] === "string" ? row[name] : null}
      clearable={field.access !== "required" && name !== "status"}
      renderOption={withIcon}
      onChoose={onSave}
      onClose={onClose}
    />
  );
}

const toOption = (reference: Reference): Option => ({
  value: String(reference.id),
  label: getReferenceName(reference),
});

/** A choice defined by the account, stored by its reference and chosen by its name. */
function CodeEditor({ name, row, to, onSave, onClose }: EditorProps & { to: string }) {
  const { choices, loading } = useCodes(to);
  const value = typeof row[name] === "string" ? row[name] : null;
  return (
    <OpenList
      label={fieldLabel(name)}
      options={choices}
      value={value}
      clearable
      loading={loading}
      onChoose={onSave}
      onClose={onClose}
    />
  );
}

function ReferenceEditor({ to, ...props }: EditorProps & { to: string }) {
  if (props.name === "member" && getReference(props.row, "team") !== null) return <MemberEditor {...props} />;
  return to === "person" ? <PersonEditor {...props} /> : <RecordEditor {...props} to={to} />;
}

function RecordEditor({ name, row, to, onSave, onClose }: EditorProps & { to: string }) {
  const [text, setText] = useState("");
  const { options, loading } = useReferenceOptions(findType(to), text, true);
  const value = getReference(row, name);
  const known = value !== null && !options.some(({ id }) => id === value.id) ? [value, ...options] : options;
  return (
    <OpenList
      label={fieldLabel(name)}
      options={known.map(toOption)}
      value={value === null ? null : String(value.id)}
      clearable
      loading={loading}
      onChoose={(id) => onSave(known.find((each) => String(each.id) === id) ?? null)}
      onClose={onClose}
      {...(options.length >= 500 ? { onSearch: setText } : {})}
    />
  );
}

/** The members of the team; the reader comes first. */
function MemberEditor({ name, row, onSave, onClose }: EditorProps) {
  const { who } = useCurrentAccount();
  const members = useTeamMembers(getReference(row, "team"));
  const people = [...(members.data ?? [])].sort(
    (one, other) => Number(other.id === who.person.id) - Number(one.id === who.person.id),
  );
  const value = getReference(row, name);
  return (
    <OpenList
      label={fieldLabel(name)}
      options={people.map((person) => ({
        value: String(person.id),
        label: person.id === who.person.id ? t("request.me", { name: person.name ?? "" }) : getReferenceName(person),
      }))}
      value={value === null ? null : String(value.id)}
      clearable
      loading={members.isPending}
      onChoose={(id) => onSave(people.find((each) => String(each.id) === id) ?? null)}
      onClose={onClose}
    />
  );
}

function PersonEditor({ name, row, onSave, onClose }: EditorProps) {
  const [text, setText] = useState("");
  const people = usePeople(text);
  const value = getReference(row, name);
  const found: Reference[] = people.data ?? [];
  const known = value !== null && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <OpenList
      label={fieldLabel(name)}
      options={known.map(toOption)}
      value={value === null ? null : String(value.id)}
      clearable
      loading={people.isFetching}
      onSearch={setText}
      onChoose={(id) => onSave(known.find((each) => String(each.id) === id) ?? null)}
      onClose={onClose}
    />
  );
}

const inputTypes: Partial<Record<Field["kind"], string>> = {
  datetime: "datetime-local",
  date: "date",
  integer: "number",
};

function InputEditor({ type, name, row, kind, onSave, onClose }: EditorProps & { kind: Field["kind"] }) {
  const start = kind === "datetime" ? String(row[name] ?? "").slice(0, 16) : String(row[name] ?? "");
  const { value, setValue, removeAfter, draft } = useValueDraft(`${type.name}/${row.id}/${name}`, start);
  // The input also loses the focus after Enter and Escape, which must not save or discard again.
  const isDone = useRef(false);
  const save = () => {
    if (isDone.current) return;
    isDone.current = true;
    if (value === start) onClose();
    else void removeAfter(onSave(value === "" ? null : kind === "integer" ? Number(value) : value));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      isDone.current = true;
      draft.remove();
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    save();
  };
  return (
    <TextInput
      size="xs"
      autoFocus
      aria-label={fieldLabel(name)}
      type={inputTypes[kind] ?? "text"}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={save}
    />
  );
}

export function PropertyEditor({ onSave, ...rest }: Props) {
  const [seen] = useState(rest.row);
  const props = { ...rest, onSave: (value: unknown) => onSave(value, seen) };
  const field = props.type.fields[props.name];
  if (field === undefined) return null;
  if (field.kind === "enum") return <EnumEditor {...props} field={field} />;
  if (field.kind === "reference") return <ReferenceEditor {...props} to={field.to} />;
  if (field.kind === "code") return <CodeEditor {...props} to={field.to} />;
  return <InputEditor {...props} kind={field.kind} />;
}

const editable: readonly Field["kind"][] = [
  "enum",
  "reference",
  "code",
  "datetime",
  "date",
  "integer",
  "string",
  "boolean",
];
export const isEditable = (field: Field | undefined): boolean =>
  field !== undefined && field.access !== "readonly" && editable.includes(field.kind);
