import { inDays, onDay, type Row, type Rows, type Table } from "./table.ts";

// A calendar has no time zone: the record that uses it defines the zone of its hours and holidays.

const on = (days: readonly string[], time_from: string, time_until: string): Row[] =>
  days.map((weekday) => ({ as: `${weekday} ${time_from}`, weekday, time_from, time_until }));
const workdays = ["mon", "tue", "wed", "thu", "fri"];
const everyDay = [...workdays, "sat", "sun"];

const dutch = ["nl-new-year", "nl-kings-day", "nl-liberation", "nl-christmas", "nl-boxing-day", "nl-next-new-year"];
const american = ["us-new-year", "us-independence", "us-veterans", "us-christmas", "us-next-new-year"];
const japanese = ["jp-new-year", "jp-golden-week", "jp-mountain-day", "jp-culture-day", "jp-next-new-year"];

// biome-ignore format: a table keeps its columns
const calendars: Table = {
  type: "calendar",
  in: "quillhaven-it",
  created: inDays(-719),
  rows: {
    "europe-hours":   { name: "Office hours Europe",        calendar_hours: on(workdays, "08:00", "18:00"), holidays: dutch },
    "america-hours":  { name: "Office hours Americas",      calendar_hours: on(workdays, "07:30", "17:00"), holidays: american },
    "asia-hours":     { name: "Office hours Asia Pacific",  calendar_hours: on(workdays, "09:00", "18:00"), holidays: japanese },
    "desk-hours":     { name: "Service desk hours",         calendar_hours: [...on(workdays, "06:00", "22:00"), ...on(["sat"], "09:00", "13:00")], holidays: ["nl-new-year", "nl-christmas"] },
    "building-hours": { name: "Project office hours",   calendar_hours: on(workdays, "08:00", "18:00"), holidays: ["nl-kings-day", "nl-liberation", "nl-closed"] },
    "always":         { name: "24x7",                       calendar_hours: on(everyDay, "00:00", "24:00") },
    "sunday-night":   { name: "Sunday night maintenance",  calendar_hours: on(["sun"], "20:00", "24:00") },
    "fm-hours":       { in: "quillhaven-fm", name: "Office hours",      calendar_hours: on(workdays, "07:30", "17:30"), holidays: ["fm-new-year", "fm-kings-day", "fm-christmas"] },
    "fm-always":      { in: "quillhaven-fm", name: "24x7",              calendar_hours: on(everyDay, "00:00", "24:00") },
    "room-hours":     { in: "quillhaven-fm", name: "Meeting room hours", calendar_hours: on(workdays, "07:00", "20:00") },
    "nimbrook-hours": { in: "nimbrook", name: "Office hours",           calendar_hours: on(workdays, "08:00", "17:00"), holidays: ["pl-new-year", "pl-independence"] },
    "nimbrook-always":{ in: "nimbrook", name: "24x7",                   calendar_hours: on(everyDay, "00:00", "24:00") },
  },
};

const day = (name: string, month: number, date: number, years = 0, length = 1): Row => ({
  name,
  start_at: onDay(month, date, years),
  end_at: onDay(month, date + length, years),
});
const inAccount = (account: string, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { in: account, ...row }]));

// biome-ignore format: a table keeps its columns
const holidays: Table = {
  type: "holiday",
  in: "quillhaven-it",
  created: inDays(-718),
  rows: {
    "nl-new-year":      day("New Year's Day", 1, 1),
    "nl-kings-day":     day("King's Day", 4, 27),
    "nl-liberation":    day("Liberation Day", 5, 5),
    "nl-christmas":     day("Christmas Day", 12, 25),
    "nl-boxing-day":    day("Boxing Day", 12, 26),
    "nl-next-new-year": day("New Year's Day", 1, 1, 1),
    "nl-closed":        { name: "Company closed", start_at: onDay(12, 21), end_at: onDay(1, 4, 1) },
    "us-new-year":      day("New Year's Day, United States", 1, 1),
    "us-independence":  day("Independence Day", 7, 4),
    "us-veterans":      day("Veterans Day", 11, 11),
    "us-christmas":     day("Christmas Day, United States", 12, 25),
    "us-next-new-year": day("New Year's Day, United States", 1, 1, 1),
    "jp-new-year":      day("New Year, Japan", 1, 1, 0, 3),
    "jp-golden-week":   day("Golden Week", 5, 3, 0, 3),
    "jp-mountain-day":  day("Mountain Day", 8, 11),
    "jp-culture-day":   day("Culture Day", 11, 3),
    "jp-next-new-year": day("New Year, Japan", 1, 1, 1, 3),
    ...inAccount("quillhaven-fm", {
      "fm-new-year":    day("New Year's Day", 1, 1, 1),
      "fm-kings-day":   day("King's Day", 4, 27),
      "fm-christmas":   day("Christmas", 12, 25, 0, 2),
    }),
    ...inAccount("nimbrook", {
      "pl-new-year":    day("New Year's Day", 1, 1, 1),
      "pl-independence":day("National Independence Day", 11, 11),
    }),
  },
};

export const calendarTables: readonly Table[] = [holidays, calendars];
