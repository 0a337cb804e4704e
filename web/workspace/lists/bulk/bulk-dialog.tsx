import { Alert, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, Suspense, useEffect, useState } from "react";
import type { Field, RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { useDraft } from "../../../drafts/use-draft.ts";
import { useValueDraft } from "../../../drafts/use-form-draft.ts";
import { getFieldKind } from "../../../fields/index.ts";
import { t } from "../../../languages/index.ts";
import { collectionLabel, fieldLabel, lowerFirst, typeLabel } from "../../../languages/labels.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { errorText } from "../../../parts/error-text.ts";
import { FirstFocus } from "../../../parts/forms/first-focus.tsx";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import { isNegative } from "../../../queries/status-order.ts";
import type { BulkPreview } from "../../../wire.ts";
import { noteChange, tagChange } from "./bulk-actions.ts";
import { type BulkOrder, describeRefusals } from "./bulk-progress.tsx";

const TagPicker = lazyPart(async () => (await import("../../../parts/tag-picker.tsx")).default);

type Props = {
  type: RecordType;
  name: string;
  /** ids, or the query that all of them match */
  target: Pick<BulkOrder, "ids" | "query">;
  count: string | number;
  onClose(): void;
  /** `onBegun`: to be called when the server has the order */
  onStart(order: BulkOrder, onBegun: () => void): void;
};

const previewDelay = 250; // milliseconds after the last change of the value

/** One value for many records, with a preview of those that will refuse it. */
export function BulkDialog({ type, name, target, count, onClose, onStart }: Props) {
  const { api } = useCurrentAccount();
  const field = type.fields[name] as Field | undefined;
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
  const [preview, setPreview] = useState<BulkPreview | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { Edit, toWire = (given: unknown) => given } =
    field === undefined ? { Edit: undefined, toWire: undefined } : getFieldKind(field);
  const asksWhy = name === "status" && isNegative(String(value));
  const tags = isTags ? (value as string[]) : [];
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
  const asked = JSON.stringify(order);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order as text says whether it changed
  useEffect(() => {
    setPreview(null);
    setFailure(null);
    if (!ready) return;
    let current = true;
    const timer = setTimeout(() => {
      api
        .ask<BulkPreview>("/bulk_changes", { ...order, dry_run: true })
        .then((answer) => current && setPreview(answer))
        .catch((error: unknown) => current && setFailure(errorText(error)));
    }, previewDelay);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asked, ready]);
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
          {isNote ? (
            <Textarea
              label={label}
              autosize
              minRows={4}
              value={String(value)}
              onChange={(event) => change(event.currentTarget.value)}
              data-autofocus
            />
          ) : isTags ? (
            <Suspense>
              <TagPicker label={label} value={tags} onChange={change} />
            </Suspense>
          ) : (
            Edit !== undefined &&
            field !== undefined && (
              <FirstFocus>
                <Edit name={name} field={field} label={label} value={value} onChange={change} required={false} />
              </FirstFocus>
            )
          )}
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
                <strong>
                  {t("bulk.previewRefused", { count: preview.total, refused: preview.refused.length, ...types })}
                </strong>
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
