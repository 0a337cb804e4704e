import type { outOfOfficePeriod } from "../../../records/people/out-of-office-period.ts";
import { timeEntry } from "../../../records/work/time-entry.ts";
import { Forbidden, Invalid } from "../../base/errors.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseBoolean, parseChoice, parseNumberOrNull } from "../../database/rows.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";
import { workflowGraph } from "../task-graph/workflow-graph.ts";
import { calculateCharge } from "./charges.ts";
import { loadTimeEntryOrigin, originTypes } from "./time-entry-origin.ts";
import { loadTimesheetSettings, loadWeekInAccount, type TimesheetSettings } from "./timesheet-settings.ts";

// TE1 to TE4

const selectPerson = statement(
  "SELECT p.organization_id, p.cost_per_hour_currency, a.currency FROM people p JOIN accounts a ON a.id = $2 WHERE p.id = $1",
);
const selectTimesheetLock = statement(
  "SELECT 1 FROM timesheet_locks WHERE account_id = $1 AND person_id = $2 AND date = ANY($3::date[])",
);
const selectTimeAllocation = statement(
  `SELECT a.customer_category, a.service_category, a.description_category, a.effort_class_id,
  EXISTS (SELECT 1 FROM time_allocation_organizations l WHERE l.time_allocation_id = a.id AND l.organization_id = $3),
  EXISTS (SELECT 1 FROM time_allocation_customers l WHERE l.time_allocation_id = a.id AND l.organization_id = $4),
  EXISTS (SELECT 1 FROM time_allocation_services l WHERE l.time_allocation_id = a.id AND l.service_id = $5)
FROM time_allocations a WHERE a.id = $1 AND a.account_id = $2`,
);
const selectRegisteredTime = statement(
  `SELECT coalesce(sum(time_spent) FILTER (WHERE date = $4), 0), coalesce(sum(time_spent), 0) FROM time_entries
WHERE account_id = $1 AND person_id = $2 AND id <> $3 AND date BETWEEN $5 AND $6 AND NOT deleted AND life_cycle <> 'trashed'`,
);
const selectCost = statement(
  `SELECT round($1::integer * p.cost_per_hour * coalesce((SELECT cost_multiplier FROM effort_classes WHERE id = $2), 1) / 60, 2)
FROM people p WHERE p.id = $3`,
);

type EntryChange = Change<typeof timeEntry>;

/** People enter their own time; administrators may enter that of others. */
export function requireOwnTime({ by, after, cause }: Change<typeof timeEntry | typeof outOfOfficePeriod>): void {
  if (cause !== null) return;
  if (after.person !== null && after.person !== by.person && !isAdministrator(by, by.account)) throw new Forbidden();
}

const isLocked = async (tx: Transaction, account: string, person: number, dates: readonly string[]): Promise<boolean> =>
  (await tx.query(selectTimesheetLock, [account, person, dates])).length > 0;

/** an entry names at most one of these */
const subjectFields = [...originTypes, "time_allocation"] as const;
type SubjectField = (typeof subjectFields)[number];
const listSubjects = ({ after }: EntryChange): SubjectField[] => subjectFields.filter((name) => after[name] !== null);

async function beforeSave(change: EntryChange): Promise<void> {
  const { before, after, changed, cause } = change;
  requireOwnTime(change);
  if (before !== null && changed.size === 0) return;
  if (after.person === null) return;
  if (before === null) await fillDefaults(change);
  // The entries of an out-of-office period follow from the person's work hours, regardless of the settings.
  if (cause?.type !== "out_of_office_period") await checkEntry(change);
}

async function checkEntry(change: EntryChange): Promise<void> {
  const { tx, by, before, after, cause, problem } = change;
  const subjects = listSubjects(change);
  for (const name of subjects.slice(1)) problem(name, "is not valid");
  if (after.correction !== true) await checkWithoutCorrection(change);
  const settings = after.organization === null ? null : await loadTimesheetSettings(tx, after.organization, by.account);
  if (after.time_allocation !== null) await applyTimeAllocation(change, settings);
  else if (cause === null) {
    // An entry that comes with a save of another record takes the values of that record, even when they are missing.
    for (const name of ["service", "customer"] as const) if (after[name] === null) problem(name, "can't be blank");
  }
  if (before === null && after.effort_class === null && settings !== null && subjects[0] !== undefined)
    after.effort_class = settings.effortClasses[subjects[0]];
  if (settings !== null) await checkTimesheetSettings(change, settings);
  await calculateCharge(change);
}

async function checkWithoutCorrection({ tx, by, before, after, problem }: EntryChange): Promise<void> {
  if (after.time_spent < 0) problem("time_spent", "is not valid");
  const dates = [before?.date, after.date].filter((date) => typeof date === "string");
  if (await isLocked(tx, by.account, after.person, dates)) problem("date", "is locked");
}

/** A new entry takes values from the person and from the record the time was spent on. */
async function fillDefaults({ tx, by, after }: EntryChange): Promise<void> {
  const [row] = await tx.query(selectPerson, [after.person, by.account]);
  after.organization = parseNumberOrNull(row?.[0]);
  after.cost_currency ??= parseChoice(timeEntry.fields.cost_currency, row?.[1] ?? row?.[2]);
  const origin = await loadTimeEntryOrigin(tx, by, after);
  if (origin === null) return;
  for (const name of ["service", "customer", "service_instance", "sla"] as const)
    after[name] = origin[name] ?? after[name];
  after.effort_class ??= origin.effort_class;
}

/** Customer, service and description are required, allowed or refused as the time allocation says. */
async function applyTimeAllocation(
  { tx, by, before, after, problem }: EntryChange,
  settings: TimesheetSettings | null,
): Promise<void> {
  const { time_allocation, organization } = after;
  const ids = [time_allocation, by.account, organization, after.customer, after.service];
  const [row] = await tx.query(selectTimeAllocation, ids);
  if (row === undefined) return;
  const [customer, service, description, effortClass, isForOrganization, isLinkedCustomer, isLinkedService] = row;
  if (!parseBoolean(isForOrganization) || settings?.allowsTimeAllocations === false)
    problem("time_allocation", "is not valid");
  const check = (name: "customer" | "service", category: string | null | undefined, isLinked: boolean) => {
    const isSet = after[name] !== null;
    if (category === "none" ? isSet : category === "selected" && isSet && !isLinked) problem(name, "is not valid");
    else if (category !== "none" && !isSet) problem(name, "can't be blank");
  };
  check("customer", customer, parseBoolean(isLinkedCustomer));
  check("service", service, parseBoolean(isLinkedService));
  if (description === "required" && (after.description === null || after.description.trim() === ""))
    problem("description", "can't be blank");
  if (before === null) after.effort_class ??= parseNumberOrNull(effortClass);
}

/** Time is a multiple of the increment; without overtime it stays within the workday and the workweek. */
async function checkTimesheetSettings(
  { tx, by, id, after, problem }: EntryChange,
  settings: TimesheetSettings,
): Promise<void> {
  const { date, person, time_spent: minutes } = after;
  if (minutes === null || date === null) return;
  // A percentage of a workday can be a fraction of a minute: compares thousandths.
  if (Math.round(minutes * 1000) % Math.round(settings.increment * 1000) !== 0)
    return problem("time_spent", "is not valid");
  if (after.deleted === true || (settings.workdayOvertime && settings.workweekOvertime)) return;
  await tx.query(acquireLock, [buildLockKey("time entries", person)]);
  const [from, until] = await loadWeekInAccount(tx, date, by.account);
  const [row] = await tx.query(selectRegisteredTime, [by.account, person, id, date, from, until]);
  const [inDay, inWeek] = [Number(row?.[0]) + minutes, Number(row?.[1]) + minutes];
  if (
    (inDay > settings.workday && !settings.workdayOvertime) ||
    (inWeek > settings.workweek && !settings.workweekOvertime)
  )
    problem("time_spent", "is not valid");
}

const selectWorkflowOfTask = statement("SELECT workflow_id FROM tasks WHERE id = $1 AND account_id = $2");

/** Time spent on a task counts for its workflow. */
async function refreshWorkflowsOfTasks(change: Change, tasks: readonly (number | null | undefined)[]): Promise<void> {
  for (const task of new Set(tasks)) {
    if (task == null) continue;
    const [row] = await change.tx.query(selectWorkflowOfTask, [task, change.account]);
    if (row?.[0] != null) await workflowGraph.refresh(change, Number(row[0]));
  }
}

const fieldsDecidingCost = ["time_spent", "person", "effort_class"] as const;

async function calculateCost({ tx, before, after }: EntryChange): Promise<string | null> {
  if (before !== null && fieldsDecidingCost.every((name) => before[name] === after[name])) return before.cost;
  if (after.person === null || after.time_spent === null) return null;
  const [row] = await tx.query(selectCost, [after.time_spent, after.effort_class, after.person]);
  return row?.[0] ?? null;
}

export const timeEntryRules = rulesFor(timeEntry, {
  beforeSave,
  afterSave: (change) => refreshWorkflowsOfTasks(change, [change.before?.task, change.after.task]),
  afterDelete: ({ change, values }) => refreshWorkflowsOfTasks(change, [values.task]),
  derive: { "time at the rate of the person": calculateCost },
});

/** Locked time cannot be deleted either. */
export async function refuseDeletingLockedTimeEntry(
  tx: Transaction,
  _by: Caller | null,
  { type, action, account, before }: ChangeEvent,
): Promise<void> {
  if (type.name !== "time_entry" || action !== "destroy" || before === null || before.correction === true) return;
  const { person, date } = before;
  if (typeof person !== "number" || typeof date !== "string") return;
  if (await isLocked(tx, account, person, [date])) throw new Invalid([["date", "is locked"]]);
}
