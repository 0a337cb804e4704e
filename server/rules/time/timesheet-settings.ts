import { timesheetSetting } from "../../../records/settings/timesheet-setting.ts";
import { Invalid } from "../../base/errors.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseBoolean, parseNumberOrNull } from "../../database/rows.ts";
import { rulesFor } from "../../engine/rules.ts";
import { mapNames } from "../shared/map-names.ts";

// The timesheet settings of an organization: TE4.

const increments = [5, 10, 15, 30, 60, 120, 240];
const selectSharedOrganization = statement(
  `SELECT 1 FROM timesheet_setting_organizations own JOIN timesheet_setting_organizations other
ON other.organization_id = own.organization_id AND other.account_id = own.account_id AND other.timesheet_setting_id <> own.timesheet_setting_id
WHERE own.timesheet_setting_id = $1 AND own.account_id = $2 LIMIT 1`,
);

export const timesheetSettingRules = rulesFor(timesheetSetting, {
  beforeSave({ after, problem }) {
    if (after.unit === "percentage_of_workday") {
      after.time_increment = null;
      after.percentage_increment ??= "12.5";
    } else {
      after.percentage_increment = null;
      after.time_increment ??= 60;
      if (!increments.includes(after.time_increment)) problem("time_increment", "is not valid");
    }
  },
  afterLinkChange: {
    // The lock makes links that are added at the same moment see each other: an organization has one set of settings.
    async organizations({ tx, id, account }) {
      await tx.query(acquireLock, [buildLockKey("timesheet settings", account)]);
      if ((await tx.query(selectSharedOrganization, [id, account])).length > 0)
        throw new Invalid([["organizations", "has already been taken"]]);
    },
  },
});

export type TimesheetSettings = {
  /** minutes an entry must be a multiple of */
  increment: number;
  workday: number;
  workweek: number;
  workdayOvertime: boolean;
  workweekOvertime: boolean;
  allowsTimeAllocations: boolean;
  /** by the type of the record that the time is spent on */
  effortClasses: Readonly<Record<(typeof timeEntryTypes)[number], number | null>>;
};

const timeEntryTypes = ["request", "problem", "task", "project_task", "time_allocation"] as const;
const selectSettingsOfOrganization = statement(
  `SELECT s.unit, s.time_increment, s.percentage_increment, coalesce(s.workday, 480), coalesce(s.workweek, 2400),
  s.allow_workday_overtime, s.allow_workweek_overtime, s.allocation_time_tracking, ${timeEntryTypes.map((type) => `s.${type}_effort_class_id`).join(", ")}
FROM timesheet_settings s JOIN timesheet_setting_organizations l ON l.timesheet_setting_id = s.id
WHERE l.organization_id = $1 AND s.account_id = $2 ORDER BY s.id LIMIT 1`,
);

/** Null for an organization without settings: its people register time without restriction. */
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
    workdayOvertime: parseBoolean(row[5]),
    workweekOvertime: parseBoolean(row[6]),
    allowsTimeAllocations: parseBoolean(row[7]),
    effortClasses: mapNames(timeEntryTypes, (type) => parseNumberOrNull(row[8 + timeEntryTypes.indexOf(type)])),
  };
}

const selectStartOfWeek = statement("SELECT start_of_week FROM accounts WHERE id = $1");
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const dayInMilliseconds = 86_400_000;

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayInMilliseconds).toISOString().slice(0, 10);

/** The first and the last day of the week that a date is in. */
export function getWeek(date: string, startOfWeek: string): [string, string] {
  const daysSinceStart =
    (new Date(`${date}T00:00:00Z`).getUTCDay() - Math.max(0, weekdays.indexOf(startOfWeek)) + 7) % 7;
  const first = addDays(date, -daysSinceStart);
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
