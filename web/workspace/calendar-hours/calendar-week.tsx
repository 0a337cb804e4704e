import { ActionIcon, Button } from "@mantine/core";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { ianaZone } from "../../fields/time/iana-zone.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Icon } from "../../parts/icon.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { useNow } from "../../parts/now.ts";
import { showError } from "../../parts/toast.tsx";
import { useEnumeration, useList } from "../../queries/index.ts";
import { addDays, dayOf, isDate, listWeek, nameWeek } from "../time/week.ts";
import { type EditedHours, HoursDialog } from "./hours-dialog.tsx";
import {
  countOpenMinutes,
  findClockChange,
  formatOpen,
  minutesOfDay,
  parseMinute,
  type Span,
  writeMinute,
} from "./open-minutes.ts";
import { type WeekDay, WeekGrid } from "./week-grid.tsx";
import "../../styles/time.css";
import "../../styles/areas/calendar.css";
import "../../styles/areas/calendar-hours.css";

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** The part of a holiday that lies on a day; null: none. Both ends are times of the wall clock. */
function pickPart(day: string, holiday: Row): Span | null {
  const [start, end] = [String(holiday.start_at).slice(0, 16), String(holiday.end_at).slice(0, 16)];
  const next = addDays(day, 1);
  if (start >= `${next}T00:00` || end <= `${day}T00:00`) return null;
  return {
    from: start.slice(0, 10) < day ? 0 : parseMinute(start.slice(11)),
    until: end.slice(0, 10) > day ? minutesOfDay : parseMinute(end.slice(11)),
  };
}

function buildDay(day: string, at: number, zone: string, hours: readonly Row[], holidays: readonly Row[]): WeekDay {
  const open = hours
    .filter(({ weekday }) => weekday === weekdays[at])
    .map(({ id, time_from, time_until }) => ({
      ...{ id, from: parseMinute(String(time_from)), until: parseMinute(String(time_until), true) },
    }));
  const closed = holidays.flatMap((holiday) => {
    const part = pickPart(day, holiday);
    return part === null ? [] : [{ ...part, id: holiday.id, name: String(holiday.name) }];
  });
  const change = findClockChange(day, zone);
  return { day, hours: open, holidays: closed, change, minutes: countOpenMinutes(open, closed, change) };
}

/** The hours of a calendar, drawn into one of its weeks: with its holidays, and as the clocks of a time zone run. */
export default function CalendarWeek({ row, writable }: { row: Row; writable: boolean }) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { week?: string; zone?: string };
  const zones = useEnumeration("time_zone");
  const today = dayOf(useNow());
  const week = listWeek(search.week !== undefined && isDate(search.week) ? search.week : today);
  const zone = search.zone ?? who.person.time_zone;
  const [edited, setEdited] = useState<EditedHours | null>(null);
  const path = `/calendars/${row.id}/calendar_hours`;
  const { data: hours } = useList(path, { fields: "id,weekday,time_from,time_until", per_page: "100" });
  const { data: holidays } = useList(`/calendars/${row.id}/holidays`, {
    ...{ fields: "name,start_at,end_at", per_page: "100" },
    ...{ start_at: `<${addDays(week[6] as string, 1)}T00:00`, end_at: `>${week[0]}T00:00` },
  });
  if (hours === undefined || holidays === undefined) return <LoadingSkeleton rows={8} />;
  const go = (change: { week?: string; zone?: string }) =>
    void navigate({ to: ".", search: { ...search, ...change } as never, replace: true });
  const days = week.map((day, at) => buildDay(day, at, ianaZone(zone), hours.rows, holidays.rows));
  const refresh = () => queries.invalidateQueries({ queryKey: [account.id] });
  const add = async (wanted: readonly number[], span: Span) => {
    try {
      for (const at of wanted)
        await api.create(path, {
          ...{ weekday: weekdays[at], time_from: writeMinute(span.from), time_until: writeMinute(span.until) },
        });
    } catch (error) {
      showError(error);
    }
    await refresh();
  };
  return (
    <section aria-label={t("calendarHours.week")}>
      <div className="hours-bar">
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t("calendarHours.previous")}
          onClick={() => go({ week: addDays(week[0] as string, -7) })}
        >
          <Icon of={IconChevronLeft} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t("calendarHours.next")}
          onClick={() => go({ week: addDays(week[0] as string, 7) })}
        >
          <Icon of={IconChevronRight} />
        </ActionIcon>
        <h2>{nameWeek(week)}</h2>
        <span className="quiet" role="status">
          {t("calendarHours.open", { time: formatOpen(days.reduce((sum, { minutes }) => sum + minutes, 0)) })}
        </span>
        <span className="hours-gap" />
        <Select
          size="sm"
          aria-label={fieldLabel("time_zone")}
          searchable
          allowDeselect={false}
          data={zones.map(({ id, txt }) => ({ value: id, label: txt }))}
          value={zone}
          onChange={(wanted) => go({ zone: wanted ?? zone })}
        />
        {writable && (
          <Button
            variant="default"
            size="sm"
            leftSection={<Icon of={IconPlus} />}
            onClick={() => setEdited({ id: null, days: [0, 1, 2, 3, 4], from: 9 * 60, until: 17 * 60 })}
          >
            {t("calendarHours.add")}
          </Button>
        )}
      </div>
      <WeekGrid
        days={days}
        today={today}
        writable={writable}
        onDraw={(wanted, span) => void add(wanted, span)}
        onOpen={(at, { id, from, until }) => setEdited({ id, days: [at], from, until })}
      />
      {writable && <p className="quiet small">{t("calendarHours.hint")}</p>}
      {edited !== null && <HoursDialog path={path} hours={edited} onSaved={refresh} onClose={() => setEdited(null)} />}
    </section>
  );
}
