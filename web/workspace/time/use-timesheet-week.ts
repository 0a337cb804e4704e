import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { showError } from "../../elements/toast.tsx";
import { currentTime } from "../../parts/now.ts";
import { type Subject, timeQueries } from "../../queries/time.ts";
import { buildLineKey, buildLines, type Line, sumCell, useSaveCell } from "./entries.ts";
import { countMinutes } from "./timer-card.tsx";
import { useTimer } from "./use-timer.ts";
import { toDay } from "./week.ts";

type NewLine = { subject: Subject; description: string | null };

/** The lines of a week, and the functions that change them: cells, suggestions and the timer. */
export function useTimesheetWeek(days: readonly string[]) {
  const { who, api } = useCurrentAccount();
  const person = who.person.id;
  const queries = useQueryClient();
  const entries = useQuery(timeQueries.entries(api, person, days));
  const saveCell = useSaveCell(person, days);
  /** A new line is a draft until it has time. */
  const drafted = useFormDraft<{ added: readonly NewLine[] }>(`timesheet/${days[0]}/lines`, { added: [] });
  const [version, setVersion] = useState(0);
  const lines = buildLines(entries.data ?? [], drafted.values.added);

  const save = async (line: Line, day: string, minutes: number) => {
    await saveCell(line, day, minutes);
    drafted.change(({ added }) => ({
      added: added.filter(({ subject, description }) => buildLineKey(subject, description) !== line.key),
    }));
    setVersion((before) => before + 1);
  };
  /** Adds time to the existing entry. */
  const addTime = async (subject: Subject, day: string, minutes: number) => {
    const key = buildLineKey(subject, null);
    const line = lines.find((each) => each.key === key) ?? { key, subject, description: null, cells: new Map() };
    await save(line, day, sumCell(line, day) + minutes);
  };
  const addLine = (subject: Subject, description: string | null) =>
    drafted.change(({ added }) => ({ added: [...added, { subject, description }] }));
  const lock = async (day: string) => {
    try {
      await api.call("POST /timesheets/lock", { person_id: person, week_of: day });
    } catch (failure) {
      showError(failure);
    }
    await queries.invalidateQueries({ queryKey: timeQueries.sheetsOf(api, person) });
  };
  return { entries, lines, version, save, addTime, addLine, lock };
}

/** The timer, whose time is registered when it stops. `start` stops the running one. */
export function useRegisteredTimer(register: (subject: Subject, day: string, minutes: number) => Promise<void>) {
  const { timer, start, clear } = useTimer();
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (failure) {
      showError(failure);
    }
  };
  const stop = () =>
    attempt(async () => {
      if (timer === null) return;
      // Entries are multiples of five minutes; even a shorter run of the timer counts as five.
      const minutes = Math.max(5, Math.round(countMinutes(timer, currentTime()) / 5) * 5);
      await register(timer.subject, toDay(currentTime()), minutes);
      await clear();
    });
  return {
    timer,
    stop,
    begin: (subject: Subject) =>
      attempt(async () => {
        await stop();
        await start(subject);
      }),
  };
}
