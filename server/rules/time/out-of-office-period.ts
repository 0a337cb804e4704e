import { toTimestamp } from "../../base/clock.ts";
import type { TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { createLeaveTimeEntries, deleteLeaveTimeEntries } from "./leave-time-entries.ts";
import { requireOwnTime } from "./time-entry.ts";

// TE6

const lockPeriodsOfPerson = statement("SELECT pg_advisory_xact_lock(hashtext('out of office'), $1::integer)");
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

export const outOfOfficePeriodRules: TypeRules = {
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
    const { tx, by, id, before, after, changed, problem } = change;
    requireOwnTime(change);
    const { person, start_at, end_at } = after;
    if (typeof person !== "number" || (before !== null && changed.size === 0)) return;
    if (typeof start_at === "string" && typeof end_at === "string") {
      await tx.query(lockPeriodsOfPerson, [person]);
      if (Date.parse(end_at) <= Date.parse(start_at)) problem("end_at", "is not valid");
      else if ((await tx.query(selectOverlappingPeriod, [by.account, person, id, start_at, end_at])).length > 0)
        problem("start_at", "is not valid");
    }
    const allocations = await tx.query(selectTimeAllocations, [by.account, person]);
    if (after.time_allocation === null) {
      if (allocations.some(([, , disabled]) => disabled !== "t")) problem("time_allocation", "can't be blank");
    } else {
      const chosen = allocations.find(([each]) => Number(each) === after.time_allocation);
      if (chosen === undefined) problem("time_allocation", "is not valid");
      else if (chosen[1] === "required" && (after.reason === null || String(after.reason).trim() === ""))
        problem("reason", "can't be blank");
    }
    if (after.effort_class === null) return;
    const classes = await tx.query(selectEffortClasses, [by.account, person]);
    if (classes.length > 0 && !classes.some(([each]) => Number(each) === after.effort_class))
      problem("effort_class", "is not valid");
  },
  afterSave: createLeaveTimeEntries,
  afterDelete: deleteLeaveTimeEntries,
};

/** Those in whose place a person approves now: TE7. */
export const buildDelegatorsSql = (person: string, now: string): string =>
  `SELECT a.person_id FROM out_of_office_periods a WHERE a.approval_delegate_id = ${person} AND a.start_at <= ${now}::timestamptz AND a.end_at > ${now}::timestamptz`;
