import { day, parseMoment } from "../../business-time/moment.ts";
import type { Change, LinkContext, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";

// Time entries of an out-of-office period: the work hours of the person that fall into it, day by day. TE6. What is
// locked stays as it is.

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
const fieldsDecidingEntries = ["person", "start_at", "end_at", "time_allocation", "effort_class", "reason"];
const maximumDays = 366;

type EntryContext = Pick<Change, "tx" | "account" | "update">;

async function deleteUnlockedEntries(
  { tx, account, update }: EntryContext,
  period: number,
  { person }: Values,
): Promise<void> {
  for (const [entry] of await tx.query(selectUnlockedEntries, [account, person as number, period]))
    await update("time_entry", Number(entry), { deleted: true });
}

/** Part of `removed`. */
export const deleteLeaveTimeEntries = ({ tx, id, values, account, change }: LinkContext): Promise<void> =>
  deleteUnlockedEntries({ tx, account, update: change.update }, id, values);

/** Part of `saved`. */
export async function createLeaveTimeEntries(change: Change): Promise<void> {
  const { tx, id, account, before, after, create } = change;
  if (before !== null && fieldsDecidingEntries.every((name) => before[name] === after[name])) return;
  if (before !== null) await deleteUnlockedEntries(change, id, before);
  if (after.time_allocation === null) return;
  const asked = [after.person, after.effort_class, after.time_allocation] as (number | null)[];
  const [row] = await tx.query(selectWorkHoursOfPerson, asked);
  const calendar = parseNumberOrNull(row?.[0]);
  if (calendar === null) return;
  const minutes = (await loadAgreements(tx, account))
    .activeTimeFor(calendar, row?.[1] ?? null)
    .minutesByDay(parseMoment(String(after.start_at)), parseMoment(String(after.end_at)), maximumDays);
  const dates = new Map([...minutes].map(([number, spent]) => [formatDay(number), spent]));
  const unlocked = await tx.query(selectUnlockedDates, [account, after.person as number, [...dates.keys()]]);
  for (const [date] of unlocked)
    await create("time_entry", {
      date: date as string,
      time_spent: dates.get(date as string) as number,
      person: after.person as number,
      time_allocation: after.time_allocation as number,
      effort_class: parseNumberOrNull(row?.[2]),
      description: after.reason ?? null,
      out_of_office_period: id,
    });
}

const formatDay = (number: number): string => new Date(number * day).toISOString().slice(0, 10);
