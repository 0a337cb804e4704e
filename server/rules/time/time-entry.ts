import { Forbidden, Invalid } from "../../base/errors.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import type { Value } from "../../engine/kinds/kind.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
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
const lockTimeEntriesOfPerson = statement("SELECT pg_advisory_xact_lock(hashtext('time entries'), $1::integer)");
const selectRegisteredTime = statement(
  `SELECT coalesce(sum(time_spent) FILTER (WHERE date = $4), 0), coalesce(sum(time_spent), 0) FROM time_entries
WHERE account_id = $1 AND person_id = $2 AND id <> $3 AND date BETWEEN $5 AND $6 AND NOT deleted AND life_cycle <> 'trashed'`,
);
const selectCost = statement(
  `SELECT round($1::integer * p.cost_per_hour * coalesce((SELECT cost_multiplier FROM effort_classes WHERE id = $2), 1) / 60, 2)
FROM people p WHERE p.id = $3`,
);

/** Time is one's own; administrators may enter that of everybody. */
export function requireOwnTime({ by, after, cause }: Change): void {
  if (cause !== null) return;
  if (after.person !== null && after.person !== by.person && !isAdministrator(by, by.account)) throw new Forbidden();
}

const isLocked = async (tx: Transaction, account: string, person: number, dates: readonly string[]): Promise<boolean> =>
  (await tx.query(selectTimesheetLock, [account, person, dates])).length > 0;

async function beforeSave(change: Change): Promise<void> {
  const { tx, by, before, after, changed, problem } = change;
  requireOwnTime(change);
  if (before !== null && changed.size === 0) return;
  if (typeof after.person !== "number") return;
  if (before === null) await fillDefaults(change, after.person);
  if (change.cause?.type === "out_of_office_period") return; // the hours of a period are what they are
  const named = [...originTypes, "time_allocation"].filter((name) => after[name] !== null);
  for (const name of named.slice(1)) problem(name, "is not valid");
  if (after.correction !== true) {
    if (Number(after.time_spent) < 0) problem("time_spent", "is not valid");
    const dates = [before?.date, after.date].filter((date) => typeof date === "string");
    if (await isLocked(tx, by.account, after.person, dates)) problem("date", "is locked");
  }
  const settings =
    typeof after.organization === "number" ? await loadTimesheetSettings(tx, after.organization, by.account) : null;
  if (after.time_allocation !== null) await applyTimeAllocation(change, settings);
  else if (change.cause === null) {
    // Time entered with a record takes what that record has, and refuses nothing for what it lacks.
    for (const name of ["service", "customer"]) if (after[name] === null) problem(name, "can't be blank");
  }
  if (before === null && after.effort_class === null && settings !== null)
    after.effort_class = settings.effortClasses[named[0] ?? ""] ?? null;
  if (settings !== null) await checkTimesheetSettings(change, settings);
  await calculateCharge(change);
}

/** What a new entry takes from the person and from the record the time was spent on. */
async function fillDefaults({ tx, by, after }: Change, person: number): Promise<void> {
  const [row] = await tx.query(selectPerson, [person, by.account]);
  after.organization = row?.[0] == null ? null : Number(row[0]);
  after.cost_currency ??= row?.[1] ?? row?.[2] ?? null;
  const origin = await loadTimeEntryOrigin(tx, after, by.account);
  if (origin === null) return;
  for (const name of ["service", "customer", "service_instance", "sla"] as const)
    after[name] = origin[name] ?? after[name] ?? null;
  after.effort_class ??= origin.effort_class;
}

/** Customer, service and description as far as the time allocation asks for them. */
async function applyTimeAllocation(
  { tx, by, before, after, problem }: Change,
  settings: TimesheetSettings | null,
): Promise<void> {
  const ids = [after.time_allocation, by.account, after.organization, after.customer, after.service];
  const [row] = await tx.query(selectTimeAllocation, ids as (string | number | null)[]);
  if (row === undefined) return;
  const [customer, service, description, effortClass, forOrganization, amongCustomers, amongServices] = row;
  if (forOrganization !== "t" || settings?.allowsTimeAllocations === false) problem("time_allocation", "is not valid");
  const asked = (name: string, category: unknown, linked: unknown) => {
    if (category === "none" ? after[name] !== null : category === "selected" && after[name] !== null && linked !== "t")
      problem(name, "is not valid");
    else if (category !== "none" && after[name] === null) problem(name, "can't be blank");
  };
  asked("customer", customer, amongCustomers);
  asked("service", service, amongServices);
  if (description === "required" && (after.description === null || String(after.description).trim() === ""))
    problem("description", "can't be blank");
  if (before === null && effortClass != null) after.effort_class ??= Number(effortClass);
}

/** Multiples of the increment, within the day and the week. */
async function checkTimesheetSettings(
  { tx, by, id, after, problem }: Change,
  settings: TimesheetSettings,
): Promise<void> {
  const minutes = Number(after.time_spent);
  const { date, person } = after;
  if (typeof after.time_spent !== "number" || typeof date !== "string") return;
  // Percentages of a day can be fractions of a minute.
  if (Math.round(minutes * 1000) % Math.round(settings.increment * 1000) !== 0)
    return problem("time_spent", "is not valid");
  if (after.deleted === true || (settings.workdayOvertime && settings.workweekOvertime)) return;
  await tx.query(lockTimeEntriesOfPerson, [person as number]);
  const [from, until] = await loadWeekInAccount(tx, date, by.account);
  const [row] = await tx.query(selectRegisteredTime, [by.account, person as number, id, date, from, until]);
  const [inDay, inWeek] = [Number(row?.[0]) + minutes, Number(row?.[1]) + minutes];
  if (
    (inDay > settings.workday && !settings.workdayOvertime) ||
    (inWeek > settings.workweek && !settings.workweekOvertime)
  )
    problem("time_spent", "is not valid");
}

const selectWorkflowOfTask = statement("SELECT workflow_id FROM tasks WHERE id = $1");

/** Time spent on a task counts for its workflow. */
async function refreshWorkflowsOfTasks(change: Change, tasks: readonly (Value | undefined)[]): Promise<void> {
  for (const task of new Set(tasks)) {
    if (typeof task !== "number") continue;
    const [row] = await change.tx.query(selectWorkflowOfTask, [task]);
    if (row?.[0] != null) await workflowGraph.refresh(change, Number(row[0]));
  }
}

export const timeEntryRules: TypeRules = {
  beforeSave: beforeSave,
  afterSave: (change) => refreshWorkflowsOfTasks(change, [change.before?.task, change.after.task]),
  afterDelete: ({ change, values }) => refreshWorkflowsOfTasks(change, [values.task]),
  derive: {
    async "time at the rate of the person"({ tx, before, after }) {
      const same = ["time_spent", "person", "effort_class"].every((name) => before?.[name] === after[name]);
      if (before !== null && same) return before.cost ?? null;
      if (typeof after.person !== "number" || typeof after.time_spent !== "number") return null;
      const [row] = await tx.query(selectCost, [after.time_spent, after.effort_class as number | null, after.person]);
      return row?.[0] ?? null;
    },
  },
};

/** What is locked cannot be taken away either. */
export async function refuseDeletingLockedTimeEntry(
  tx: Transaction,
  _by: Caller | null,
  { type, action, account, before }: ChangeEvent,
): Promise<void> {
  if (type.name !== "time_entry" || action !== "destroy" || before === null || before.correction === true) return;
  if (await isLocked(tx, account, before.person as number, [before.date as string]))
    throw new Invalid([["date", "is locked"]]);
}
