import { ActionIcon, Button, Popover } from "@mantine/core";
import IconChevronLeft from "@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Query, Row } from "../../../api/index.ts";
import { linkTo } from "../../../base/history.ts";
import { readerZone } from "../../../base/moments.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Select } from "../../../fields/pickers/select.tsx";
import { currentLocale, t } from "../../../languages/index.ts";
import { nameRecord } from "../../../languages/page-labels.ts";
import { useNow } from "../../../parts/now.ts";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { StatusIcon } from "../../../parts/work/status.tsx";
import { calendarQueries } from "../../../queries/workspace/calendar.ts";
import { writeFilter } from "../filter-syntax.ts";
import { columnLabel } from "../grid/columns.ts";
import { listDateFields } from "./layouts.ts";
import { addMonths, isMonth, listWeeks } from "./month.ts";
import "../../../styles/list-layouts.css";
import { putInPlace, RowBoundary } from "../../../parts/lists/row-boundary.tsx";

type Props = {
  type: RecordType;
  /** the filters of the list */
  filters: Query;
  /** from the address: "2026-11", and the date field */
  month: string | undefined;
  by: string | undefined;
  height: number;
  isNarrow: boolean;
  onChange(part: { month?: string; by?: string }): void;
};

const shownPerDay = 4;

/** The records of a month by one of their dates; on a phone the days with records, one below the other. */
export default function CalendarLayout({ type, filters, month, by, height, isNarrow, onChange }: Props) {
  const now = useNow();
  const fields = listDateFields(type);
  const field = by !== undefined && fields.includes(by) ? by : (fields[0] ?? "created_at");
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: readerZone(), dateStyle: "short" }).format(now);
  const shown = isMonth(month) ? month : today.slice(0, 7);
  const weeks = useMemo(() => listWeeks(shown), [shown]);
  const { data, error, refetch } = useMonth(type, filters, field, weeks);
  const byDay = useMemo(() => {
    const days = new Map<string, Row[]>();
    for (const row of data?.rows ?? []) {
      // Moments are in the reader's zone.
      const day = String(row[field]).slice(0, 10);
      days.set(day, [...(days.get(day) ?? []), row]);
    }
    return days;
  }, [data, field]);
  const title = new Intl.DateTimeFormat(currentLocale(), { month: "long", year: "numeric", timeZone: "UTC" }).format(
    Date.parse(`${shown}-01T00:00:00Z`),
  );
  const item = (row: Row) => (
    <RowBoundary key={row.id} row={row} frame={putInPlace}>
      {() => <CalendarItem type={type} row={row} field={field} />}
    </RowBoundary>
  );
  return (
    <div className="calendar-layout" style={{ height }}>
      <div className="calendar-bar">
        <ActionIcon
          variant="default"
          size={28}
          aria-label={t("calendar.previous")}
          onClick={() => onChange({ month: addMonths(shown, -1) })}
        >
          <Icon of={IconChevronLeft} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={28}
          aria-label={t("calendar.next")}
          onClick={() => onChange({ month: addMonths(shown, 1) })}
        >
          <Icon of={IconChevronRight} />
        </ActionIcon>
        <Button variant="default" size="xs" onClick={() => onChange({ month: today.slice(0, 7) })}>
          {t("calendar.today")}
        </Button>
        <h2 aria-live="polite">{title}</h2>
        <Select
          size="xs"
          className="calendar-by"
          aria-label={t("calendar.by")}
          allowDeselect={false}
          data={fields.map((name) => ({ value: name, label: columnLabel(name) }))}
          value={field}
          onChange={(wanted) => wanted !== null && onChange({ by: wanted })}
        />
      </div>
      {error !== null && <ErrorPanel error={error} retry={() => void refetch()} />}
      {data?.isCut && <p className="quiet calendar-cut">{t("calendar.cut", { count: data.rows.length })}</p>}
      {isNarrow ? (
        <Agenda days={weeks.flat().filter((day) => byDay.has(day))} byDay={byDay} item={item} />
      ) : (
        <table className="calendar">
          <caption className="spoken">{title}</caption>
          <thead>
            <tr>
              {(weeks[0] ?? []).map((day) => (
                <th key={day} scope="col">
                  {formatDay(day, { weekday: "short" })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <td
                    key={day}
                    data-outside={!day.startsWith(shown) || undefined}
                    data-today={day === today || undefined}
                  >
                    <Day day={day} rows={byDay.get(day) ?? []} item={item} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const formatDay = (day: string, style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(currentLocale(), { ...style, timeZone: "UTC" }).format(Date.parse(`${day}T00:00:00Z`));

/** The records with a date in these weeks, in as many pages as a calendar can show. */
function useMonth(type: RecordType, filters: Query, field: string, weeks: readonly string[][]) {
  const { api } = useCurrentAccount();
  const [from, until] = [weeks[0]?.[0] ?? "", weeks.at(-1)?.[6] ?? ""];
  const declared = type.fields[field];
  const between = { operator: "between", value: `${from}..${until}` } as const;
  const query = {
    ...filters,
    [field]: declared === undefined ? undefined : (writeFilter(declared, between) ?? undefined),
    fields: [type.display, "status", field].filter((name) => name in type.fields).join(","),
    ...(type.sortable.includes(field) ? { sort: field } : {}),
    per_page: "100",
  };
  return useQuery(calendarQueries.month(api, type.collection, query));
}

function CalendarItem({ type, row, field }: { type: RecordType; row: Row; field: string }) {
  const { account } = useCurrentAccount();
  const { component: _, ...link } = linkTo(paths.record(account.id, type, row.id));
  const name = nameRecord(type, row);
  const clock = /T(\d\d:\d\d)/.exec(String(row[field]))?.[1];
  return (
    <a {...link} className="calendar-item" title={name}>
      {typeof row.status === "string" && <StatusIcon type={type.name} status={row.status} size={14} />}
      {clock !== undefined && <span className="numbers quiet">{clock}</span>}
      <span className="truncate">{name}</span>
    </a>
  );
}

type DayProps = { day: string; rows: readonly Row[]; item(row: Row): ReactNode };

function Day({ day, rows, item }: DayProps) {
  const shown = rows.length > shownPerDay ? rows.slice(0, shownPerDay - 1) : rows;
  const rest = rows.length - shown.length;
  const name = formatDay(day, { weekday: "long", day: "numeric", month: "long" });
  return (
    <>
      <time dateTime={day} className="calendar-day numbers">
        <span aria-hidden="true">{Number(day.slice(8))}</span>
        <span className="spoken">{name}</span>
      </time>
      {shown.map(item)}
      {rest > 0 && (
        <Popover width={300} position="bottom" trapFocus shadow="md">
          <Popover.Target>
            <button type="button" className="text-button calendar-more">
              {t("calendar.more", { count: rest })}
            </button>
          </Popover.Target>
          <Popover.Dropdown aria-label={name} className="calendar-rest">
            {rows.map(item)}
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}

type AgendaProps = { days: readonly string[]; byDay: ReadonlyMap<string, readonly Row[]>; item(row: Row): ReactNode };

function Agenda({ days, byDay, item }: AgendaProps) {
  if (days.length === 0) return <p className="quiet calendar-cut">{t("calendar.empty")}</p>;
  return days.map((day) => (
    <section key={day} className="agenda-day">
      <h3>{formatDay(day, { weekday: "short", day: "numeric", month: "short" })}</h3>
      {byDay.get(day)?.map(item)}
    </section>
  ));
}
