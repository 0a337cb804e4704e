import { ActionIcon, Button } from "@mantine/core";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { ianaZone } from "../../fields/time/iana-zone.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { useNow } from "../../parts/now.ts";
import { accountQueries } from "../../queries/account.ts";
import { calendarQueries } from "../../queries/calendars.ts";
import { useEnumeration } from "../../queries/index.ts";
import { addDays, isDate, listWeek, nameWeek, toDay } from "../time/week.ts";
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

type Holiday = { id: number; name: string; start_at: string; end_at: string };
type Hours = { id: number; weekday: string; time_from: string; time_until: string };

/** The part of a holiday on a day; null: none. Both ends are wall-clock times. */
function pickPart(day: string, { start_at, end_at }: Holiday): Span | null {
  const [start, end] = [start_at.slice(0, 16), end_at.slice(0, 16)];
  const next = addDays(day, 1);
  if (start >= `${next}T00:00` || end <= `${day}T00:00`) return null;
  return {
    from: start.slice(0, 10) < day ? 0 : parseMinute(start.slice(11)),
    until: end.slice(0, 10) > day ? minutesOfDay : parseMinute(end.slice(11)),
  };
}

function buildDay(
  day: string,
  at: number,
  zone: string,
  hours: readonly Hours[],
  holidays: readonly Holiday[],
): WeekDay {
  const open = hours
    .filter(({ weekday }) => weekday === weekdays[at])
    .map(({ id, time_from, time_until }) => ({
      ...{ id, from: parseMinute(time_from), until: parseMinute(time_until, true) },
    }));
  const closed = holidays.flatMap((holiday) => {
    const part = pickPart(day, holiday);
    return part === null ? [] : [{ ...part, id: holiday.id, name: holiday.name }];
  });
  const change = findClockChange(day, zone);
  return { day, hours: open, holidays: closed, change, minutes: countOpenMinutes(open, closed, change) };
}

/** The week and the time zone in the address. */
function useWeekAddress() {
  const { who } = useCurrentAccount();
  const navigate = useNavigate();
  const search: { week?: string; zone?: string } = useSearch({ strict: false });
  const today = toDay(useNow());
  const [monday = today, ...others] = listWeek(search.week !== undefined && isDate(search.week) ? search.week : today);
  return {
    today,
    monday,
    week: [monday, ...others],
    zone: search.zone ?? who.person.time_zone,
    go: (change: { week?: string; zone?: string }) =>
      void navigate({ to: ".", search: { ...search, ...change }, replace: true }),
  };
}

/** The hours of a calendar in one of its weeks: with its holidays and the time changes of a time zone. */
export default function CalendarWeek({ row, writable }: { row: Row; writable: boolean }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const zones = useEnumeration("time_zone");
  const { today, monday, week, zone, go } = useWeekAddress();
  const [edited, setEdited] = useState<EditedHours | null>(null);
  const path = `/calendars/${row.id}/calendar_hours`;
  const { data: hours } = useQuery(calendarQueries.hours(api, row.id));
  const { data: holidays } = useQuery({
    ...calendarQueries.holidaysOf(api, row.id, monday, addDays(monday, 7)),
    placeholderData: keepPreviousData,
  });
  if (hours === undefined || holidays === undefined) return <LoadingSkeleton rows={8} />;
  const days = week.map((day, at) => buildDay(day, at, ianaZone(zone), hours, holidays));
  const refresh = () => queries.invalidateQueries({ queryKey: accountQueries.all(api) });
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
          onClick={() => go({ week: addDays(monday, -7) })}
        >
          <Icon of={IconChevronLeft} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={34}
          aria-label={t("calendarHours.next")}
          onClick={() => go({ week: addDays(monday, 7) })}
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
          data={zones}
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
