import { Invalid } from "../../base/errors.ts";
import type { TypeRules } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";

// What the timesheet settings of an organization mean: TE4.

const increments = [5, 10, 15, 30, 60, 120, 240];
const lockTimesheetSettings = statement("SELECT pg_advisory_xact_lock(hashtext('timesheet settings'), hashtext($1))");
const selectSharedOrganization = statement(
  `SELECT 1 FROM timesheet_setting_organizations mine JOIN timesheet_setting_organizations other
ON other.organization_id = mine.organization_id AND other.account_id = mine.account_id AND other.timesheet_setting_id <> mine.timesheet_setting_id
WHERE mine.timesheet_setting_id = $1 AND mine.account_id = $2 LIMIT 1`,
);

export const timesheetSettingRules: TypeRules = {
  beforeSave({ after, problem }) {
    if (after.unit === "percentage_of_workday") {
      after.time_increment = null;
      after.percentage_increment ??= "12.5";
    } else {
      after.percentage_increment = null;
      after.time_increment ??= 60;
      if (!increments.includes(Number(after.time_increment))) problem("time_increment", "is not valid");
    }
  },
  afterLinkChange: {
    // An organization has one set of settings, however many are linked to it at the same moment.
    async organizations({ tx, id, account }) {
      await tx.query(lockTimesheetSettings, [account]);
      if ((await tx.query(selectSharedOrganization, [id, account])).length > 0)
        throw new Invalid([["organizations", "has already been taken"]]);
    },
  },
};

export type TimesheetSettings = {
  /** minutes an entry must be a multiple of */
  increment: number;
  workday: number;
  workweek: number;
  workdayOvertime: boolean;
  workweekOvertime: boolean;
  allowsTimeAllocations: boolean;
  /** by the kind of record the time is spent on */
  effortClasses: Readonly<Record<string, number | null>>;
};

const timeEntryTypes = ["request", "problem", "task", "project_task", "time_allocation"];
const selectSettingsOfOrganization = statement(
  `SELECT s.unit, s.time_increment, s.percentage_increment, coalesce(s.workday, 480), coalesce(s.workweek, 2400),
  s.allow_workday_overtime, s.allow_workweek_overtime, s.allocation_time_tracking, ${timeEntryTypes.map((kind) => `s.${kind}_effort_class_id`).join(", ")}
FROM timesheet_settings s JOIN timesheet_setting_organizations l ON l.timesheet_setting_id = s.id
WHERE l.organization_id = $1 AND s.account_id = $2 ORDER BY s.id LIMIT 1`,
);

/** The settings of an organization; without any, time may be registered without restriction. */
export async function loadTimesheetSettings(
  tx: Transaction,
  organization: number,
  account: string,
): Promise<TimesheetSettings | null> {
  const [row] = await tx.query(selectSettingsOfOrganization, [organization, account]);
  if (row === undefined) return null;
  const [unit, minutes, percentage, workday, workweek] = row;
  return {
    increment:
      unit === "hours_and_minutes" ? Number(minutes ?? 60) : (Number(workday) * Number(percentage ?? 12.5)) / 100,
    workday: Number(workday),
    workweek: Number(workweek),
    workdayOvertime: row[5] === "t",
    workweekOvertime: row[6] === "t",
    allowsTimeAllocations: row[7] === "t",
    effortClasses: Object.fromEntries(
      timeEntryTypes.map((kind, index) => [kind, row[8 + index] == null ? null : Number(row[8 + index])]),
    ),
  };
}

const selectStartOfWeek = statement("SELECT start_of_week FROM accounts WHERE id = $1");
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const day = 86_400_000;

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** The first and the last day of the week of a date, as the account counts weeks. */
export function getWeek(date: string, begins: string): [string, string] {
  const since = (new Date(`${date}T00:00:00Z`).getUTCDay() - Math.max(0, weekdays.indexOf(begins)) + 7) % 7;
  const first = addDays(date, -since);
  return [first, addDays(first, 6)];
}

export async function loadWeekInAccount(
  tx: Pick<Transaction, "query">,
  date: string,
  account: string,
): Promise<[string, string]> {
  const [row] = await tx.query(selectStartOfWeek, [account]);
  return getWeek(date, row?.[0] ?? "mon");
}
