import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { addDays, listWeek, nameWeekday } from "../time/week.ts";
import { parseMinute, writeMinute } from "./open-minutes.ts";

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
/** An arbitrary week, for the names of the seven days. */
const monday = "2025-01-06";
const anyWeek = listWeek(monday);

/** `id`: the hours being changed; null: new ones, on each of the days. */
export type EditedHours = { id: number | null; days: readonly number[]; from: number; until: number };

type Props = { path: string; hours: EditedHours; onSaved(): Promise<unknown>; onClose(): void };

/** Adds the same hours to several days, changes those of one day, or removes them. */
export function HoursDialog({ path, hours, onSaved, onClose }: Props) {
  const { api } = useCurrentAccount();
  const { values, change, draft } = useFormDraft(`${path.slice(1)}/${hours.id ?? "new"}`, {
    days: hours.days,
    from: writeMinute(hours.from),
    until: writeMinute(hours.until % (24 * 60)),
  });
  const { days, from, until } = values;
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    setIsSaving(true);
    try {
      await work();
      draft.remove();
      await onSaved();
      onClose();
    } catch (failure) {
      setError(failure);
      setIsSaving(false);
    }
  };
  const save = async () => {
    const span = { time_from: from, time_until: writeMinute(parseMinute(until, true)) };
    if (hours.id !== null) return api.change(`${path}/${hours.id}`, span);
    for (const at of days) await api.create(path, { ...span, weekday: weekdays[at] });
  };
  return (
    <Dialog title={t(hours.id === null ? "calendarHours.add" : "calendarHours.change")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <Stack gap="sm">
          <RestoredDraft draft={draft} onDiscard={draft.remove} />
          {hours.id === null ? (
            <Checkbox.Group
              label={t("calendarHours.days")}
              value={days.map(String)}
              onChange={(chosen) => change({ days: chosen.map(Number).toSorted() })}
            >
              <Group gap="sm" mt={6}>
                {anyWeek.map((day, at) => (
                  <Checkbox key={day} value={String(at)} label={nameWeekday(day)} />
                ))}
              </Group>
            </Checkbox.Group>
          ) : (
            <p className="quiet">{nameWeekday(addDays(monday, hours.days[0] ?? 0))}</p>
          )}
          <Group grow align="start">
            <TextInput
              type="time"
              label={t("calendar.from")}
              value={from}
              required
              onChange={(event) => change({ from: event.currentTarget.value })}
              data-autofocus
            />
            <TextInput
              type="time"
              label={t("calendar.until")}
              value={until}
              required
              onChange={(event) => change({ until: event.currentTarget.value })}
            />
          </Group>
          {error !== null && (
            <p role="alert" className="form-problem">
              {errorText(error)}
            </p>
          )}
          <Group justify="flex-end">
            {hours.id !== null && (
              <Button
                variant="default"
                disabled={isSaving}
                onClick={() => void run(() => api.remove(`${path}/${hours.id}`))}
              >
                {t("calendar.remove")}
              </Button>
            )}
            <Button type="submit" loading={isSaving} disabled={hours.id === null && days.length === 0}>
              {t("calendar.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
