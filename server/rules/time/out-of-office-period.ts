import { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import { toTimestamp } from "../../base/clock.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { statement } from "../../database/database.ts";
import { parseBoolean } from "../../database/rows.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { createLeaveTimeEntries, deleteLeaveTimeEntries } from "./leave-time-entries.ts";
import { requireOwnTime } from "./time-entry.ts";

// TE6

const selectOverlappingPeriod = statement(
  "SELECT 1 FROM out_of_office_periods WHERE account_id = $1 AND person_id = $2 AND id <> $3 AND start_at < $5 AND end_at > $4 LIMIT 1",
);
const selectTimeAllocations = statement(
  `SELECT a.id, a.description_category, a.disabled FROM time_allocations a
JOIN time_allocation_organizations l ON l.time_allocation_id = a.id JOIN people p ON p.organization_id = l.organization_id
WHERE p.id = $2 AND a.account_id = $1 AND a.customer_category = 'none' AND a.service_category = 'none'`,
);
const selectEffortClasses = statement(
  `SELECT e.effort_class_id FROM timesheet_setting_effort_classes e
JOIN timesheet_setting_organizations l ON l.timesheet_setting_id = e.timesheet_setting_id JOIN people p ON p.organization_id = l.organization_id
WHERE p.id = $2 AND e.account_id = $1`,
);

type PeriodChange = Change<typeof outOfOfficePeriod>;

/** The lock makes two overlapping periods of one person that are saved at the same moment see each other. */
async function checkDates({ tx, by, id, after, problem }: PeriodChange): Promise<void> {
  const { person, start_at, end_at } = after;
  if (start_at === null || end_at === null) return;
  await tx.query(acquireLock, [buildLockKey("out of office", person)]);
  if (Date.parse(end_at) <= Date.parse(start_at)) return; // C13 refuses it
  if ((await tx.query(selectOverlappingPeriod, [by.account, person, id, start_at, end_at])).length > 0)
    problem("start_at", "is not valid");
}

async function checkTimeAllocation({ tx, by, after, problem }: PeriodChange): Promise<void> {
  const allocations = await tx.query(selectTimeAllocations, [by.account, after.person]);
  if (after.time_allocation === null) {
    if (allocations.some(([, , disabled]) => !parseBoolean(disabled))) problem("time_allocation", "can't be blank");
    return;
  }
  const chosen = allocations.find(([allocation]) => Number(allocation) === after.time_allocation);
  if (chosen === undefined) problem("time_allocation", "is not valid");
  else if (chosen[1] === "required" && (after.reason === null || after.reason.trim() === ""))
    problem("reason", "can't be blank");
}

async function checkEffortClass({ tx, by, after, problem }: PeriodChange): Promise<void> {
  if (after.effort_class === null) return;
  const classes = await tx.query(selectEffortClasses, [by.account, after.person]);
  if (classes.length > 0 && !classes.some(([effortClass]) => Number(effortClass) === after.effort_class))
    problem("effort_class", "is not valid");
}

const checkPeriod = steps<typeof outOfOfficePeriod>(checkDates, checkTimeAllocation, checkEffortClass);

export const outOfOfficePeriodRules = rulesFor(outOfOfficePeriod, {
  conditions: {
    "ends in the future": (by) => ({
      key: "future",
      sql: (alias, next) => `${alias}.end_at > ${next()}`,
      values: [toTimestamp(by.now)],
    }),
    "ended in the past": (by) => ({
      key: "past",
      sql: (alias, next) => `${alias}.end_at <= ${next()}`,
      values: [toTimestamp(by.now)],
    }),
  },
  async beforeSave(change) {
    requireOwnTime(change);
    const isUntouched = change.before !== null && change.changed.size === 0;
    if (change.after.person !== null && !isUntouched) await checkPeriod(change);
  },
  afterSave: createLeaveTimeEntries,
  afterDelete: deleteLeaveTimeEntries,
});

/** TE7: selects the absent people for whom a person approves at that time. */
export const buildDelegatorsSql = (person: string, now: string): string =>
  `SELECT a.person_id FROM out_of_office_periods a WHERE a.approval_delegate_id = ${person} AND a.start_at <= ${now}::timestamptz AND a.end_at > ${now}::timestamptz`;
