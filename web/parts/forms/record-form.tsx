import { Alert, Box, Button, Collapse, Group, Stack } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ApiError, type FieldError, type Row } from "../../api/index.ts";
import { parseChanges } from "../../drafts/form-changes.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { buildInitialValues, pickChangedValues, pickFormFields, type Values } from "./form-values.ts";
import { RestoredDraft } from "./restored-draft.tsx";

// A form generated from the fields of a record type. The server's errors are shown at their fields.

type Props = {
  type: RecordType;
  /** absent: a new record */
  row?: Row | undefined;
  /** initial values of a new record, in addition to its defaults */
  initialValues?: Values;
  /** null in `values`: cleared */
  onSave(values: Values): Promise<void>;
  /** saves, and starts the next record in the same form */
  onSaveAndNext?: (values: Values) => Promise<void>;
  onCancel(): void;
  /** set to whether there are unsaved changes */
  dirty?: RefObject<boolean>;
  /** the draft's key for the typed values until they are saved; absent: the record, or the next one of its type */
  draftKey?: string;
};

export const buildFormKey = (type: RecordType, row?: Row): string => `form/${type.name}/${row?.id ?? "new"}`;

const findProblems = (problems: readonly FieldError[], name: string): string | undefined =>
  problems
    .filter(([field]) => field === name || field === `${name}_id`)
    .map(([, text]) => text)
    .join(". ") || undefined;

const nothing: Values = {};

/** The server's errors for the values. `fields`: those of the form, which show their own errors. */
function useSaving(fields: readonly string[]) {
  const [problems, setProblems] = useState<readonly FieldError[]>([]);
  const [failure, setFailure] = useState<string>();
  const [saving, setSaving] = useState(false);
  /** Resolves to the field errors. */
  const run = async (store: () => Promise<void>): Promise<readonly FieldError[]> => {
    setSaving(true);
    setProblems([]);
    setFailure(undefined);
    try {
      await store();
      return [];
    } catch (error) {
      const refused = error instanceof ApiError ? error.problems : [];
      const here = new Set(fields);
      const elsewhere = refused.filter(([field]) => !here.has(field) && !here.has(field.replace(/_id$/, "")));
      const count = new Set(refused.map(([field]) => field)).size;
      setProblems(refused);
      setFailure(
        refused.length === 0
          ? errorText(error)
          : [t("form.attention", { count }), ...elsewhere.map(([, text]) => text)].join(". "),
      );
      setSaving(false);
      return refused;
    }
  };
  return { problems, setProblems, failure, saving, run };
}

export function RecordForm(props: Props) {
  const { type, row, initialValues = nothing, onSave, onSaveAndNext, onCancel, dirty } = props;
  const purpose = row === undefined ? "create" : "update";
  // Fields stay where they were when the form opened, also while the person fills them in.
  const [{ first, groups }] = useState(() => pickFormFields(type, purpose, row, initialValues));
  const further = groups.flatMap(({ fields }) => fields);
  const [start] = useState<Values>(() => buildInitialValues(type, row));
  const { values, change, draft } = useFormDraft<Values>(props.draftKey ?? buildFormKey(type, row), {
    ...start,
    ...initialValues,
  });
  const { problems, setProblems, failure, saving, run } = useSaving([...first, ...further]);
  const [opened, setOpened] = useState<boolean | null>(null);
  const typed = parseChanges<Values>(draft.text);
  const open = opened ?? further.some((name) => Object.hasOwn(typed, name));
  const alert = useRef<HTMLDivElement>(null);
  const wanted = pickChangedValues(type, start, values, purpose);

  useEffect(() => {
    // While saving, the page leaves the form by itself, possibly between two renders.
    if (dirty !== undefined)
      dirty.current = !saving && Object.keys(pickChangedValues(type, start, values, "update")).length > 0;
  }, [type, start, values, dirty, saving]);
  useEffect(() => {
    if (failure !== undefined) alert.current?.focus();
  }, [failure]);

  const save = async (store: Props["onSave"]) => {
    const refused = await run(async () => {
      await store(wanted);
      draft.remove();
    });
    if (refused.some(([field]) => further.includes(field))) setOpened(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // a form in a dialog is nested in another one in React's tree
    void save(onSave);
  };

  const input = (name: string) => {
    const field = type.fields[name];
    if (field === undefined) return null;
    const { Edit, wide } = getFieldKind(field);
    if (Edit === undefined) return null;
    const clear = problems.filter(([problem]) => problem !== name && problem !== `${name}_id`);
    return (
      <Box key={name} className={wide ? "wide" : ""}>
        <Edit
          name={name}
          field={field}
          label={fieldLabel(name)}
          value={values[name]}
          onChange={(value) => {
            change({ [name]: value });
            setProblems(clear);
          }}
          error={findProblems(problems, name)}
          required={field.access === "required" && field.default === undefined}
        />
      </Box>
    );
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        {failure !== undefined && (
          <Alert color="red" variant="light" ref={alert} tabIndex={-1} role="alert" c="var(--mantine-color-error)">
            {failure}
          </Alert>
        )}
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        <div className="fields">{first.map(input)}</div>
        {further.length > 0 && (
          <div>
            <Button
              variant="subtle"
              size="sm"
              aria-expanded={open}
              onClick={() => setOpened(!open)}
              leftSection={<Icon of={open ? IconChevronDown : IconChevronRight} />}
            >
              {t("form.moreFields")}
            </Button>
            <Collapse expanded={open}>
              {groups.map(({ group, fields }) => (
                <fieldset key={group} className="form-group">
                  <legend>{t(`form.group.${group}`)}</legend>
                  <div className="fields">{fields.map(input)}</div>
                </fieldset>
              ))}
            </Collapse>
          </div>
        )}
        <Group>
          <Button type="submit" loading={saving}>
            {t(row === undefined ? "form.create" : "form.save")}
          </Button>
          {onSaveAndNext !== undefined && (
            <Button variant="default" disabled={saving} onClick={() => void save(onSaveAndNext)}>
              {t("form.createAndNext")}
            </Button>
          )}
          <Button variant="default" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
