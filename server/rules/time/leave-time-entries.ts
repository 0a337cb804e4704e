import type { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import { day, parseMoment } from "../../business-time/moment.ts";
import { statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Change, DeleteContext } from "../../engine/rules.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";

// TE6: an out-of-office period gets one time entry per day, with the work hours of the person on that day. Entries on
// locked dates stay as they are.

const selectWorkHoursOfPerson = statement(
  `SELECT p.work_hours_id, p.time_zone, coalesce($2::integer, (SELECT effort_class_id FROM time_allocations WHERE id = $3))
FROM people p WHERE p.id = $1`,
);
const buildIsLockedSql = (date: string) =>
  `EXISTS (SELECT 1 FROM timesheet_locks l WHERE l.account_id = $1 AND l.person_id = $2 AND l.date = ${date})`;
const selectUnlockedEntries = statement(
  `SELECT e.id FROM time_entries e WHERE e.account_id = $1 AND e.out_of_office_period = $3 AND NOT e.deleted
AND NOT ${buildIsLockedSql("e.date")} ORDER BY e.id`,
);
const selectUnlockedDates = statement(
  `SELECT d.date FROM unnest($3::date[]) d(date) WHERE NOT ${buildIsLockedSql("d.date")} ORDER BY d.date`,
);
const fieldsDecidingEntries = ["person", "start_at", "end_at", "time_allocation", "effort_class", "reason"] as const;
const maximumDays = 366;

type EntryContext = Pick<Change, "tx" | "account" | "update">;

async function deleteUnlockedEntries(
  { tx, account, update }: EntryContext,
  period: number,
  person: number,
): Promise<void> {
  for (const [entry] of await tx.query(selectUnlockedEntries, [account, person, period]))
    await update("time_entry", Number(entry), { deleted: true });
}

/** In `afterDelete` of a period. */
export const deleteLeaveTimeEntries = (context: DeleteContext<typeof outOfOfficePeriod>): Promise<void> => {
  const { tx, id, values, account, change } = context;
  return deleteUnlockedEntries({ tx, account, update: change.update }, id, values.person);
};

/** In `afterSave` of a period. */
export async function createLeaveTimeEntries(change: Change<typeof outOfOfficePeriod>): Promise<void> {
  const { tx, id, account, before, after, create } = change;
  if (before !== null && fieldsDecidingEntries.every((name) => before[name] === after[name])) return;
  if (before !== null) await deleteUnlockedEntries(change, id, before.person);
  const { person, time_allocation, reason } = after;
  if (time_allocation === null) return;
  const [row] = await tx.query(selectWorkHoursOfPerson, [person, after.effort_class, time_allocation]);
  const calendar = parseNumberOrNull(row?.[0]);
  if (calendar === null) return;
  const minutesByDay = (await loadAgreements(tx, account))
    .activeTimeFor(calendar, row?.[1] ?? null)
    .minutesByDay(parseMoment(after.start_at), parseMoment(after.end_at), maximumDays);
  const minutesByDate = new Map([...minutesByDay].map(([number, minutes]) => [formatDay(number), minutes]));
  const unlocked = await tx.query(selectUnlockedDates, [account, person, [...minutesByDate.keys()]]);
  for (const [date] of unlocked)
    await create("time_entry", {
      date: date ?? null,
      time_spent: minutesByDate.get(date ?? "") ?? null,
      person,
      time_allocation,
      effort_class: parseNumberOrNull(row?.[2]),
      description: reason,
      out_of_office_period: id,
    });
}

const formatDay = (number: number): string => new Date(number * day).toISOString().slice(0, 10);
