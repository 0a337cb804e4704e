import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { errorText } from "../../parts/error-text.ts";
import { listWeek, nameWeekday } from "../time/week.ts";
import { parseMinute, writeMinute } from "./open-minutes.ts";

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
/** Any week has the same seven names. */
const anyWeek = listWeek("2025-01-06");

/** `id`: the hours that are changed; null: new ones, on each of the days. */
export type HoursDraft = { id: number | null; days: readonly number[]; from: number; until: number };

type Props = { path: string; draft: HoursDraft; onSaved(): Promise<unknown>; onClose(): void };

/** Adds the same hours to several days, changes those of one day, or removes them. */
export function HoursDialog({ path, draft, onSaved, onClose }: Props) {
  const { api } = useCurrentAccount();
  const [days, setDays] = useState<readonly number[]>(draft.days);
  const [from, setFrom] = useState(writeMinute(draft.from));
  const [until, setUntil] = useState(writeMinute(draft.until % (24 * 60)));
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    setIsSaving(true);
    try {
      await work();
      await onSaved();
      onClose();
    } catch (failure) {
      setError(failure);
      setIsSaving(false);
    }
  };
  const save = async () => {
    const span = { time_from: from, time_until: writeMinute(parseMinute(until, true)) };
    if (draft.id !== null) return api.change(`${path}/${draft.id}`, span);
    for (const at of days) await api.create(path, { ...span, weekday: weekdays[at] });
  };
  return (
    <Dialog title={t(draft.id === null ? "calendarHours.add" : "calendarHours.change")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <Stack gap="sm">
          {draft.id === null ? (
            <Checkbox.Group
              label={t("calendarHours.days")}
              value={days.map(String)}
              onChange={(chosen) => setDays(chosen.map(Number).toSorted())}
            >
              <Group gap="sm" mt={6}>
                {anyWeek.map((day, at) => (
                  <Checkbox key={day} value={String(at)} label={nameWeekday(day)} />
                ))}
              </Group>
            </Checkbox.Group>
          ) : (
            <p className="quiet">{nameWeekday(anyWeek[draft.days[0] ?? 0] as string)}</p>
          )}
          <Group grow align="start">
            <TextInput
              type="time"
              label={t("calendar.from")}
              value={from}
              required
              onChange={(event) => setFrom(event.currentTarget.value)}
              data-autofocus
            />
            <TextInput
              type="time"
              label={t("calendar.until")}
              value={until}
              required
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          </Group>
          {error !== null && (
            <p role="alert" className="form-problem">
              {errorText(error)}
            </p>
          )}
          <Group justify="flex-end">
            {draft.id !== null && (
              <Button
                variant="default"
                disabled={isSaving}
                onClick={() => void run(() => api.remove(`${path}/${draft.id}`))}
              >
                {t("calendar.remove")}
              </Button>
            )}
            <Button type="submit" loading={isSaving} disabled={draft.id === null && days.length === 0}>
              {t("calendar.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
