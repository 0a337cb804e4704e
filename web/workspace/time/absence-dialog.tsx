import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import type { Reference } from "../../queries/reference.ts";
import { timeQueries } from "../../queries/time.ts";
import type { Absence } from "./calendar-event.ts";

type Props = {
  /** the absence to change, or the days of a new one; they may have a time, too: "2026-11-17T09:30" */
  absence?: Absence | undefined;
  days: readonly [from: string, until: string];
  onClose(): void;
  onSaved(): void;
};

type Values = { from: string; until: string; reason: string; kind: string | null; delegate: Reference | null };

const withTime = (day: string, time: string): string => (day.length > 10 ? day : `${day}T${time}`);
const toInput = (text: string): string => text.slice(0, 16);

const buildValues = (absence: Absence | undefined, [first, last]: Props["days"]): Values => ({
  from: absence === undefined ? withTime(first, "08:00") : toInput(absence.start_at),
  until: absence === undefined ? withTime(last, "17:00") : toInput(absence.end_at),
  reason: absence?.reason ?? "",
  kind: absence?.time_allocation == null ? null : String(absence.time_allocation.id),
  delegate: absence?.approval_delegate ?? null,
});

/** The values as typed, and the functions that save or remove the absence. */
function useAbsenceForm({ absence, days, onClose, onSaved }: Props) {
  const { api, who } = useCurrentAccount();
  const draftKey = `absence/${absence?.id ?? `new/${days.join("/")}`}`;
  const { values, change, draft } = useFormDraft(draftKey, buildValues(absence, days));
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const run = async (send: () => Promise<unknown>) => {
    setIsSaving(true);
    try {
      await send();
      draft.remove();
      onSaved();
      onClose();
    } catch (failure) {
      setError(failure);
      setIsSaving(false);
    }
  };
  const save = () => {
    const { from, until, reason, kind, delegate } = values;
    const body = {
      start_at: from,
      end_at: until,
      reason: reason === "" ? null : reason,
      time_allocation_id: kind === null ? null : Number(kind),
      approval_delegate_id: delegate?.id ?? null,
    };
    return run(() =>
      absence === undefined
        ? api.create("/out_of_office_periods", { ...body, person_id: who.person.id })
        : api.change(`/out_of_office_periods/${absence.id}`, body),
    );
  };
  const remove = (id: number) => run(() => api.remove(`/out_of_office_periods/${id}`));
  return { values, change, error, isSaving, save, remove };
}

/** The person's absence, its reason, and their delegate for approvals. */
export function AbsenceDialog(props: Props) {
  const { absence, onClose } = props;
  const { api } = useCurrentAccount();
  const { data: allocations = [] } = useQuery(timeQueries.allocations(api));
  const { values, change, error, isSaving, save, remove } = useAbsenceForm(props);
  const { from, until, reason, kind, delegate } = values;
  const problemOf = (field: string): string | null =>
    (error instanceof ApiError && error.problems.find(([name]) => name === field)?.[1]) || null;
  const isElsewhere = error !== null && !(error instanceof ApiError && error.problems.length > 0);
  return (
    <Dialog title={t(absence === undefined ? "calendar.add" : "calendar.change")} loose={false} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack gap="sm">
          <Group grow align="start">
            <TextInput
              type="datetime-local"
              label={t("calendar.from")}
              value={from}
              required
              error={problemOf("start_at")}
              onChange={(event) => change({ from: event.currentTarget.value })}
              data-autofocus
            />
            <TextInput
              type="datetime-local"
              label={t("calendar.until")}
              value={until}
              required
              error={problemOf("end_at")}
              onChange={(event) => change({ until: event.currentTarget.value })}
            />
          </Group>
          {allocations.length > 0 && (
            <Select
              label={t("calendar.kind")}
              data={allocations.map(({ id, name, localized_name }) => ({
                value: String(id),
                label: localized_name ?? name,
              }))}
              value={kind}
              onChange={(chosen) => change({ kind: chosen })}
              error={problemOf("time_allocation")}
            />
          )}
          <TextInput
            label={t("calendar.reason")}
            maxLength={80}
            value={reason}
            error={problemOf("reason")}
            onChange={(event) => change({ reason: event.currentTarget.value })}
          />
          <ReferencePicker
            to="person"
            label={t("calendar.delegate")}
            value={delegate}
            onChange={(chosen) => change({ delegate: chosen })}
            error={problemOf("approval_delegate")}
          />
          {isElsewhere && <p role="alert">{errorText(error)}</p>}
          <Group justify="space-between">
            {absence === undefined ? (
              <span />
            ) : (
              <Button variant="default" c="var(--red)" disabled={isSaving} onClick={() => void remove(absence.id)}>
                {t("calendar.remove")}
              </Button>
            )}
            <Button type="submit" loading={isSaving}>
              {t("calendar.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
