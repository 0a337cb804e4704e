import type { Period } from "../../business-time/active-time.ts";
import { day, type Moment } from "../../business-time/moment.ts";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Agreements } from "../../rules/sla/agreement-cache.ts";
import type { Plan } from "./plan.ts";

// When the service instances that the tasks of a workflow have an impact on may be worked on. D-620.

export type MaintenanceWindow = Period & { name: string; tasks: readonly number[] };

/** The calendar of a window in the zone of the service instance, and the tasks that it is for. */
type WindowHours = { calendar: number; zone: string | null; name: string; tasks: readonly number[] };

/** A configuration item counts for the service instances that it belongs to. */
const selectHours = jsonStatement<WindowHours>(
  `SELECT i.maintenance_window_id AS calendar, i.time_zone AS zone, c.name, json_agg(DISTINCT t.id) AS tasks
FROM tasks t JOIN LATERAL (
  SELECT l.service_instance_id FROM task_service_instances l WHERE l.task_id = t.id AND l.account_id = t.account_id
  UNION SELECT m.service_instance_id FROM task_cis l JOIN service_instance_cis m ON m.ci_id = l.ci_id WHERE l.task_id = t.id AND l.account_id = t.account_id
) x ON true JOIN service_instances i ON i.id = x.service_instance_id JOIN calendars c ON c.id = i.maintenance_window_id
WHERE t.workflow_id = $1 AND t.account_id = $2 AND i.account_id = $2 AND t.impact IS DISTINCT FROM 'none'
GROUP BY i.maintenance_window_id, i.time_zone, c.name ORDER BY i.maintenance_window_id, i.time_zone`,
);

/** How far beyond the plan windows are listed: a task may be moved there. */
const daysBefore = 2;
const daysAfter = 60;
const most = 300;

export const loadWindowHours = (
  source: Pick<Transaction, "query">,
  workflow: number,
  account: string,
): Promise<WindowHours[]> => queryRows(source, selectHours, [workflow, account]);

/** The windows around the time of the plan, of the tasks that it has. */
export function listMaintenanceWindows(
  all: readonly WindowHours[],
  agreements: Agreements,
  plan: Plan,
  now: Moment,
): MaintenanceWindow[] {
  const moments = [...plan.tasks.values()].flatMap(({ start, end }) => [start ?? now, end ?? now]);
  const from = Math.min(now, ...moments) - daysBefore * day;
  const until = Math.max(now, ...moments) + daysAfter * day;
  return all
    .map((hours) => ({ ...hours, tasks: hours.tasks.filter((task) => plan.tasks.has(task)) }))
    .filter(({ tasks }) => tasks.length > 0)
    .flatMap(({ calendar, zone, name, tasks }) =>
      agreements
        .activeTimeFor(calendar, zone)
        .listPeriods(from, until, most)
        // If work is always allowed there is nothing to show.
        .filter((period) => period.from > from || period.until < until)
        .map((period) => ({ ...period, name, tasks })),
    )
    .sort((one, other) => one.from - other.from)
    .slice(0, most);
}
