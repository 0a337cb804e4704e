import { Temporal } from "temporal-polyfill";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { moneySpent, workload } from "../../../records/answers/planning.ts";
import { toTimestamp } from "../../base/clock.ts";
import { BadRequest, Forbidden } from "../../base/errors.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { mayReadAllRows } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Absence, type PlannedWork, spreadWork } from "./spread-work.ts";

// How much work is planned for the people of a project or a team, week by week, beside the time that they have (D-421).

type Workload = AnswerOf<typeof workload>;
type MoneySpent = AnswerOf<typeof moneySpent>;
export type WorkloadSubject = { type: "project" | "team"; id: number; account: string };
export type Weeks = { from: Temporal.PlainDate; count: number };

type PersonRow = { id: number; name: string; workday: number };
type WorkRow = PlannedWork & { person: number; project: number | null; team: number | null };

const maxWeeks = 60;
const defaultWeeks = 16;
const begin = "coalesce(t.assigned_at, t.start_at, t.anticipated_assignment_at)";
const end = "coalesce(t.finished_at, t.completion_target_at)";
const isIn = `${begin} < $3 AND coalesce(${end}, ${begin}) >= $2 AND t.status NOT IN ('canceled', 'declined')`;

const workday = `coalesce((SELECT s.workday FROM timesheet_settings s JOIN timesheet_setting_organizations l ON l.timesheet_setting_id = s.id
  WHERE l.organization_id = p.organization_id AND s.account_id = $2 ORDER BY s.id LIMIT 1), 480) AS workday`;
const selectPeople = {
  project: jsonStatement<PersonRow>(
    `SELECT DISTINCT p.id, p.name, ${workday} FROM project_tasks t JOIN project_task_assignments a ON a.project_task_id = t.id AND a.account_id = $2
JOIN people p ON p.id = a.assignee_id WHERE t.project_id = $1 AND t.account_id = $2 AND t.status <> 'canceled' ORDER BY p.name, p.id`,
  ),
  team: jsonStatement<PersonRow>(
    `SELECT p.id, p.name, ${workday} FROM team_members m JOIN people p ON p.id = m.person_id
WHERE m.team_id = $1 AND p.life_cycle = 'active' AND NOT p.disabled ORDER BY p.name, p.id`,
  ),
};
/** $1 people, $2 from, $3 until, $4 account */
const selectWork = jsonStatement<WorkRow>(
  `SELECT a.assignee_id AS person, t.project_id AS project, t.team_id AS team, ${begin} AS start_at, ${end} AS end_at,
  coalesce(a.planned_effort, t.planned_effort / greatest((SELECT count(*) FROM project_task_assignments o WHERE o.project_task_id = t.id AND o.account_id = $4), 1), 0) AS minutes
FROM project_task_assignments a JOIN project_tasks t ON t.id = a.project_task_id
WHERE a.assignee_id = ANY($1::integer[]) AND t.account_id = $4 AND a.account_id = $4 AND a.status <> 'canceled' AND ${isIn}
UNION ALL
SELECT t.member_id, NULL, t.team_id, ${begin}, ${end}, coalesce(t.planned_effort, 0)
FROM tasks t WHERE t.member_id = ANY($1::integer[]) AND t.account_id = $4 AND ${isIn}`,
);
const selectAbsences = jsonStatement<Absence & { person: number }>(
  `SELECT o.person_id AS person, o.start_at, o.end_at FROM out_of_office_periods o
WHERE o.person_id = ANY($1::integer[]) AND o.account_id = $4 AND o.start_at < $3 AND o.end_at > $2`,
);
const selectSpent = jsonStatement<{ minutes: number }>(
  `SELECT coalesce(sum(e.time_spent), 0)::integer AS minutes FROM time_entries e JOIN project_tasks t ON t.id = e.project_task_id
WHERE t.project_id = $1 AND t.account_id = $2 AND e.account_id = $2 AND NOT e.deleted AND e.life_cycle <> 'trashed'`,
);

const selectMoney = jsonStatement<MoneySpent>(
  `SELECT upper(s.currency) AS currency, sum(s.effort) AS effort, sum(s.purchases) AS purchases FROM (
  SELECT coalesce(e.cost_currency, a.currency) AS currency, e.cost AS effort, 0 AS purchases
  FROM time_entries e JOIN project_tasks t ON t.id = e.project_task_id JOIN accounts a ON a.id = t.account_id
  WHERE t.project_id = $1 AND t.account_id = $2 AND e.account_id = $2 AND e.cost IS NOT NULL AND NOT e.deleted AND e.life_cycle <> 'trashed'
  UNION ALL
  SELECT coalesce(i.currency, a.currency), 0, i.amount FROM invoices i JOIN accounts a ON a.id = i.account_id
  WHERE i.project_id = $1 AND i.account_id = $2 AND i.amount IS NOT NULL) s GROUP BY 1 ORDER BY 1`,
);

/** The cost of an entry reveals its person's hourly rate, so sums are for people who may read that (D-561). */
function mayReadMoney(engine: Engine, by: Caller): boolean {
  const [entry, invoice] = [engine.types.get("time_entry"), engine.types.get("invoice")];
  const roles = entry.fields.cost?.confidential?.roles ?? [];
  return mayReadAllRows(entry, by) && mayReadAllRows(invoice, by) && roles.some((role) => by.roles.has(role));
}

export async function loadWorkload(
  engine: Engine,
  by: Caller,
  subject: WorkloadSubject,
  weeks: Weeks,
): Promise<Workload> {
  const mayAll = (name: string) => mayReadAllRows(engine.types.get(name), by);
  // Sums would reveal records that the caller may not read.
  if (!["project_task", "task", "person"].every(mayAll)) throw new Forbidden();
  const { id, account, type } = subject;
  const zone = by.zone;
  const days = Array.from({ length: weeks.count }, (_, index) => weeks.from.add({ weeks: index }));
  const toMoment = (day: Temporal.PlainDate) => toTimestamp(new Date(day.toZonedDateTime(zone).epochMilliseconds));
  const people = await queryRows(engine.database, selectPeople[type], [id, account]);
  const values = [
    people.map((person) => person.id),
    toMoment(weeks.from),
    toMoment(weeks.from.add({ weeks: weeks.count })),
    account,
  ];
  const [work, absences, spent, money] = await Promise.all([
    queryRows(engine.database, selectWork, values),
    mayAll("out_of_office_period") ? queryRows(engine.database, selectAbsences, values) : [],
    type === "project" && mayAll("time_entry") ? queryFirst(engine.database, selectSpent, [id, account]) : null,
    type === "project" && mayReadMoney(engine, by) ? queryRows(engine.database, selectMoney, [id, account]) : null,
  ]);
  return {
    weeks: days.map(String),
    people: people.map(({ workday: minutesPerDay, ...person }) => ({
      person,
      weeks: spreadWork({
        weeks: days,
        zone,
        minutesPerDay,
        work: work.filter((each) => each.person === person.id).map((each) => ({ ...each, isOwn: each[type] === id })),
        absences: absences.filter((each) => each.person === person.id),
      }),
    })),
    time_spent: spent?.minutes ?? null,
    money_spent: money,
  };
}

/** Whole weeks from the Monday of `from` to the week of `until`. */
export function parseWeeks(query: readonly { name: string; value: string }[], { now, zone }: Caller): Weeks {
  const given = new Map(query.map(({ name, value }) => [name, value]));
  for (const name of given.keys())
    if (!["from", "until", "every"].includes(name)) throw new BadRequest(`Unknown parameter '${name}'`);
  if ((given.get("every") ?? "week") !== "week") throw new BadRequest("Invalid value for parameter 'every'");
  const parseDay = (name: string): Temporal.PlainDate | null => {
    const text = given.get(name);
    if (text === undefined) return null;
    try {
      if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text, { overflow: "reject" });
    } catch {}
    throw new BadRequest(`Invalid value for parameter '${name}'`);
  };
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const first = parseDay("from") ?? today;
  const from = first.subtract({ days: first.dayOfWeek - 1 });
  const until = parseDay("until");
  const count = until === null ? defaultWeeks : Math.floor(from.until(until).days / 7) + 1;
  if (count < 1 || count > maxWeeks) throw new BadRequest("Invalid value for parameter 'until'");
  return { from, count };
}
