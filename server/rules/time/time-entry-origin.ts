import type { RowOf } from "../../../records/vocabulary/index.ts";
import type { timeEntry } from "../../../records/work/time-entry.ts";
import { type Statement, statement, type Transaction } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import { type Caller, listReachableAccounts } from "../../engine/caller.ts";

// The values that a time entry copies from the record the time was spent on: service, customer, service instance, agreement,
// and the effort class of the offering or the template of that record.

/** the types of records that time can be spent on; an entry has one reference per type */
export const originTypes = ["request", "problem", "task", "project_task"] as const;
export type TimeEntryOrigin = Record<
  "service" | "customer" | "service_instance" | "sla" | "effort_class",
  number | null
>;

const organizationOfAccountSql = "(SELECT organization_id FROM accounts WHERE id = $2)";

// biome-ignore format: one statement per type
const selectOrigin: Record<(typeof originTypes)[number], Statement> = {
  request: statement(`SELECT i.service_id, r.organization_id, r.service_instance_id, s.id, coalesce(o.default_effort_class_id, t.effort_class_id)
    FROM requests r LEFT JOIN service_instances i ON i.id = r.service_instance_id LEFT JOIN request_templates t ON t.id = r.template_id
    LEFT JOIN slas s ON s.id = (SELECT sla_id FROM affected_slas f WHERE f.request_id = r.id AND f.account_id = r.account_id ORDER BY f.id LIMIT 1)
    LEFT JOIN service_offerings o ON o.id = s.service_offering_id WHERE r.id = $1 AND r.account_id = ANY($3::text[])
    AND (r.account_id = $2 OR EXISTS (SELECT 1 FROM request_accounts w WHERE w.request_id = r.id AND w.home_account_id = r.account_id AND w.home_account_id = ANY($3::text[]) AND w.account_id = $2))`),
  problem: statement(`SELECT p.service_id, ${organizationOfAccountSql}, NULL, NULL, NULL FROM problems p WHERE p.id = $1 AND p.account_id = $2`),
  task: statement(`SELECT w.service_id, ${organizationOfAccountSql}, NULL, NULL, m.effort_class_id FROM tasks t JOIN workflows w ON w.id = t.workflow_id AND w.account_id = t.account_id
    LEFT JOIN task_templates m ON m.id = t.template_id WHERE t.id = $1 AND t.account_id = $2`),
  project_task: statement(`SELECT p.service_id, p.customer_id, NULL, NULL, coalesce(m.effort_class_id, o.effort_class_id) FROM project_tasks t
    JOIN projects p ON p.id = t.project_id AND p.account_id = t.account_id LEFT JOIN project_task_templates m ON m.id = t.template_id
    LEFT JOIN task_templates o ON o.id = t.template_id WHERE t.id = $1 AND t.account_id = $2`),
};

/** The values to take over, or null when the entry names no record. */
export async function loadTimeEntryOrigin(
  tx: Transaction,
  by: Caller,
  entry: RowOf<typeof timeEntry>,
): Promise<TimeEntryOrigin | null> {
  const type = originTypes.find((name) => entry[name] !== null);
  if (type === undefined) return null;
  const accounts = type === "request" ? [listReachableAccounts(by)] : [];
  const [row] = await tx.query(selectOrigin[type], [entry[type], by.account, ...accounts]);
  const [service, customer, serviceInstance, sla, effortClass] = row ?? [];
  return {
    service: parseNumberOrNull(service),
    customer: parseNumberOrNull(customer),
    service_instance: parseNumberOrNull(serviceInstance),
    sla: parseNumberOrNull(sla),
    effort_class: parseNumberOrNull(effortClass),
  };
}
