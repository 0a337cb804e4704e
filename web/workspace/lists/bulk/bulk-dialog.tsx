import { Alert, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, Suspense, useEffect, useEffectEvent, useState } from "react";
import type { AnswerOf } from "../../../../records/answers/answer-of.ts";
import type { bulkPreview } from "../../../../records/answers/bulk-changes.ts";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { useDraft } from "../../../drafts/use-draft.ts";
import { useValueDraft } from "../../../drafts/use-form-draft.ts";
import { errorText } from "../../../elements/error-text.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { getFieldKind } from "../../../fields/index.ts";
import { t } from "../../../languages/index.ts";
import { collectionLabel, fieldLabel, lowerFirst, typeLabel } from "../../../languages/labels.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { FirstFocus } from "../../../parts/forms/first-focus.tsx";
import { isNegative } from "../../../queries/status-order.ts";
import { noteChange, tagChange } from "./bulk-actions.ts";
import { type BulkOrder, describeRefusals } from "./bulk-progress.tsx";

const TagPicker = lazyPart(async () => (await import("../../../parts/tag-picker.tsx")).default);

type Props = {
  type: RecordType;
  name: string;
  /** ids, or the query that matches all of them */
  target: Pick<BulkOrder, "ids" | "query">;
  count: string | number;
  onClose(): void;
  /** `onBegun`: called when the server has accepted the order */
  onStart(order: BulkOrder, onBegun: () => void): void;
};

type Preview = AnswerOf<typeof bulkPreview>;

const previewDelay = 250; // milliseconds after the last change of the value

/** Asks the server which records would refuse the change, shortly after its last edit. */
function usePreview(order: BulkOrder, ready: boolean) {
  const { api } = useCurrentAccount();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const loadPreview = useEffectEvent(() => api.call("POST /bulk_changes", {}, { ...order, dry_run: true }));
  /** The order as text, to detect changes. */
  const orderText = ready ? JSON.stringify(order) : "";
  useEffect(() => {
    setPreview(null);
    setFailure(null);
    if (orderText === "") return;
    let current = true;
    const timer = setTimeout(() => {
      loadPreview()
        .then((answer) => current && "checked" in answer && setPreview(answer))
        .catch((error: unknown) => current && setFailure(errorText(error)));
    }, previewDelay);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [orderText]);
  return { preview, failure };
}

type Types = { type: string; types: string };

/** How many records the change would affect, and which would refuse it. */
function PreviewStatus({ preview, failure, types }: { preview: Preview | null; failure: string | null; types: Types }) {
  return (
    <div role="status" aria-live="polite">
      {preview !== null && preview.refused.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(preview.checked < preview.total ? "bulk.previewSome" : "bulk.previewAll", {
            count: preview.total,
            checked: preview.checked,
            ...types,
          })}
        </Text>
      )}
      {preview !== null && preview.refused.length > 0 && (
        <Alert variant="light" color="yellow" className="list-refusals">
          <strong>{t("bulk.previewRefused", { count: preview.refused.length, total: preview.total, ...types })}</strong>
          <ul>
            {describeRefusals(preview.refused).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Alert>
      )}
      {failure !== null && (
        <Alert variant="light" color="red">
          {failure}
        </Alert>
      )}
    </div>
  );
}

type ValueInputProps = {
  type: RecordType;
  name: string;
  label: string;
  value: unknown;
  onChange(value: unknown): void;
};

/** The input for the new value: a note, tags or a field. */
function ValueInput({ type, name, label, value, onChange }: ValueInputProps) {
  if (name === noteChange)
    return (
      <Textarea
        label={label}
        autosize
        minRows={4}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-autofocus
      />
    );
  if (name === tagChange)
    return (
      <Suspense>
        <TagPicker label={label} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
      </Suspense>
    );
  const field = type.fields[name];
  const Edit = field === undefined ? undefined : getFieldKind(field).Edit;
  if (field === undefined || Edit === undefined) return null;
  return (
    <FirstFocus>
      <Edit name={name} field={field} label={label} value={value} onChange={onChange} required={false} />
    </FirstFocus>
  );
}

/** One value for many records, with a preview of those that will refuse it. */
export function BulkDialog({ type, name, target, count, onClose, onStart }: Props) {
  const field = type.fields[name];
  const isNote = name === noteChange;
  const isTags = name === tagChange;
  const draft = useDraft(`bulk/${type.name}/note`);
  const {
    value: chosen,
    setValue,
    draft: valueDraft,
  } = useValueDraft<unknown>(`bulk/${type.name}/value/${name}`, isTags ? [] : null);
  const value = isNote ? draft.text : chosen;
  const [isChanged, setChanged] = useState(false);
  const touched = isChanged || !valueDraft.isEmpty;
  const { toWire = (given: unknown) => given } = field === undefined ? {} : getFieldKind(field);
  const asksWhy = name === "status" && isNegative(String(value));
  const tags = isTags && Array.isArray(value) ? value.map(String) : [];
  // `value as never`: the field's kind, and so the type of its values, is known only at run time.
  const order: BulkOrder = {
    collection: type.collection,
    ...target,
    ...(isNote
      ? { change: {}, note: String(value) }
      : isTags
        ? { change: {}, link: { tags } }
        : { change: { [name]: toWire(value as never) }, ...(asksWhy ? { note: draft.text.trim() } : {}) }),
  };
  const isMissing = (isNote || asksWhy) && draft.text.trim() === "";
  const ready = (touched || isNote) && !isMissing && !(isTags && tags.length === 0);
  const { preview, failure } = usePreview(order, ready);
  const change = (wanted: unknown) => {
    setChanged(true);
    if (isNote) draft.setText(String(wanted));
    else setValue(wanted);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    onStart(order, () => {
      valueDraft.remove();
      if (isNote || asksWhy) draft.remove();
    });
  };
  const types = { type: lowerFirst(typeLabel(type)), types: lowerFirst(collectionLabel(type)) };
  const label = isNote ? t("bulk.note") : fieldLabel(name);
  return (
    <Dialog title={t("bulk.title", { field: label, count, ...types })} onClose={onClose}>
      <form
        onSubmit={submit}
        // Enter opens the choices of a field.
        onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit(event)}
      >
        <Stack>
          <ValueInput type={type} name={name} label={label} value={value} onChange={change} />
          {asksWhy && (
            <Textarea
              label={t("request.refuse.note")}
              required
              autosize
              minRows={4}
              value={draft.text}
              onChange={(event) => draft.setText(event.currentTarget.value)}
            />
          )}
          <PreviewStatus preview={preview} failure={failure} types={types} />
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => {
                valueDraft.remove();
                onClose();
              }}
            >
              {t("form.cancel")}
            </Button>
            <Button type="submit" disabled={!ready || failure !== null}>
              {t("bulk.apply", { count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
