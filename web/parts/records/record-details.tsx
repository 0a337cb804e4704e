import { Box, Button, Group, Menu, Title } from "@mantine/core";
import IconPencil from "@tabler/icons-react/dist/esm/icons/IconPencil.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { useValueDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import type { Value } from "../../fields/field-kind.ts";
import { FieldValue } from "../../fields/field-value.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { accountQueries } from "../../queries/account.ts";
import { showSavedRecord } from "../../queries/index.ts";

const systemFields = ["id", "source", "sourceID", "created_at", "updated_at"];
/** Kinds with a choice of values: choosing one saves it. */
const chosenKinds = ["enum", "reference", "boolean", "code", "timeZone"];

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && Object.keys(value).length === 0);

const isEditable = (field: Field): boolean =>
  field.access !== "readonly" && !field.onCreateOnly && getFieldKind(field).Edit !== undefined;

type Props = { type: RecordType; row: Row; writable?: boolean };

/**
 * The non-empty fields of a record, then its metadata. Fields are edited in place; empty ones are hidden, and can be
 * added.
 */
export function RecordDetails({ type, row, writable = false }: Props) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [editing, setEditing] = useState<string | null>(null);
  /** Rendered text for API clients; the source is shown already. */
  const isRendered = (name: string) => name.endsWith("_html") && name.slice(0, -5) in type.fields;
  const visible = Object.entries(type.fields).filter(
    ([name, field]) =>
      field.access !== "writeonly" &&
      !field.internal &&
      !field.transient &&
      name !== "disabled" &&
      name in row &&
      !isRendered(name),
  );
  const isShown = ([name, field]: [string, Field]) =>
    field.kind === "subject" || !isBlank(row[name]) || added.includes(name);
  const shown = visible.filter(isShown);
  const own = shown.filter(([name]) => !systemFields.includes(name));
  const system = shown.filter(([name]) => systemFields.includes(name));
  const empty = visible.filter(
    (entry) => !isShown(entry) && !systemFields.includes(entry[0]) && writable && isEditable(entry[1]),
  );
  const list = (fields: readonly [string, Field][]) => (
    <Box className="card record-facts">
      {fields.map(([name, field]) => (
        <EditableField
          key={name}
          type={type}
          name={name}
          field={field}
          row={row}
          writable={writable && !systemFields.includes(name)}
          editing={editing === name}
          onEditing={(open) => setEditing(open ? name : null)}
        />
      ))}
    </Box>
  );
  return (
    <>
      {list(own)}
      {empty.length > 0 && (
        <Menu position="bottom-start" shadow="md" width={260}>
          <Menu.Target>
            <Button variant="subtle" size="sm" mt="xs" leftSection={<Icon of={IconPlus} />}>
              {t("record.addField")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className="list-menu">
            <div className="list-menu-scroll">
              {empty.map(([name]) => (
                <Menu.Item
                  key={name}
                  onClick={() => {
                    setAdded([...added, name]);
                    setEditing(name);
                  }}
                >
                  {fieldLabel(name)}
                </Menu.Item>
              ))}
            </div>
          </Menu.Dropdown>
        </Menu>
      )}
      {system.length > 0 && (
        <>
          <Title order={2} size="h5" mt="xl" mb="xs">
            {t("record.system")}
          </Title>
          {list(system)}
        </>
      )}
    </>
  );
}

type FieldProps = {
  type: RecordType;
  name: string;
  field: Field;
  row: Row;
  writable: boolean;
  editing: boolean;
  onEditing(editing: boolean): void;
};

function EditableField({ type, name, field, row, writable, editing, onEditing }: FieldProps) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [error, setError] = useState<string | undefined>();
  const { toWire = (value: Value) => value } = getFieldKind(field);
  const write = (value: unknown) => JSON.stringify(toWire(value ?? null));
  /** the value when the editor opened; others may change it meanwhile (D-757) */
  const [seen, setSeen] = useState(row[name]);
  /** Resolves to false if the value was rejected. */
  const save = async (value: unknown, close: () => void): Promise<boolean> => {
    setError(undefined);
    if (write(value) === write(row[name])) {
      close();
      return true;
    }
    if (write(seen) !== write(row[name])) {
      setSeen(row[name]);
      setError(t("record.fieldChanged"));
      return false;
    }
    try {
      const saved = await api.change(`/${type.collection}/${row.id}`, { [name]: toWire(value) });
      showSavedRecord(queries, account.id, type.name, { row: saved, revision: null });
      void queries.invalidateQueries({ queryKey: accountQueries.all(api) });
      close();
      return true;
    } catch (refusal) {
      const message = refusal instanceof ApiError ? refusal.problems.map(([, text]) => text).join(". ") : "";
      setError(message === "" ? errorText(refusal) : message);
      return false;
    }
  };
  const id = useId();
  const set = (open: boolean) => {
    setError(undefined);
    setSeen(row[name]);
    onEditing(open);
  };
  const label = fieldLabel(name);
  return (
    <div className="property" data-refused={error !== undefined || undefined}>
      <span className="property-label" id={id}>
        {label}
      </span>
      {editing ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc bubbles up from the input inside
        <span
          className="property-edit"
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.stopPropagation();
            set(false);
          }}
        >
          <FieldEditor
            draftKey={`${type.name}/${row.id}/details/${name}`}
            name={name}
            field={field}
            row={row}
            onSave={(value) => save(value, () => set(false))}
            onClose={() => set(false)}
          />
        </span>
      ) : (
        <span className="property-value">
          <FieldValue name={name} field={field} row={row} />
          {/* Beside the value, because the value may be a link. */}
          {writable && isEditable(field) && (
            <button
              type="button"
              className="property-pencil"
              aria-label={t("record.changeField", { field: label })}
              onClick={() => set(true)}
            >
              <Icon of={IconPencil} size={14} />
            </button>
          )}
        </span>
      )}
      {error !== undefined && (
        <span className="property-error" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

type EditorProps = {
  /** the draft's key for the typed value until it is saved */
  draftKey: string;
  name: string;
  field: Field;
  row: Row;
  onSave(value: unknown): Promise<boolean>;
  onClose(): void;
};

function FieldEditor({ draftKey, name, field, row, onSave, onClose }: EditorProps) {
  const { value, setValue, removeAfter, draft } = useValueDraft<unknown>(draftKey, row[name] ?? null);
  const { Edit } = getFieldKind(field);
  if (Edit === undefined) return null;
  const isChosen = chosenKinds.includes(field.kind);
  return (
    <form
      className="property-form"
      ref={(element) => {
        if (element !== null && !element.contains(document.activeElement))
          element.querySelector<HTMLElement>("input, textarea, button")?.focus();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void removeAfter(onSave(value));
      }}
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && draft.remove()}
    >
      <Edit
        name={name}
        field={field}
        label={fieldLabel(name)}
        value={value}
        onChange={(wanted: unknown) => {
          if (isChosen) void onSave(wanted);
          else setValue(wanted);
        }}
        required={field.access === "required"}
      />
      {!isChosen && (
        <Group gap={6} mt={6}>
          <Button type="submit" size="xs">
            {t("form.save")}
          </Button>
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              draft.remove();
              onClose();
            }}
          >
            {t("form.cancel")}
          </Button>
        </Group>
      )}
    </form>
  );
}
