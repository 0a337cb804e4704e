import { toTimestamp } from "../base/clock.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { AccountRules, RuleCache } from "./rule-cache.ts";

// Copies rules of a template to the records it is applied to, and rules of an app offering to the accounts that install
// it: AK3 to AK8.

const textColumns = [
  "name",
  "trigger",
  "position",
  "condition",
  "actions",
  "expressions",
  "description",
  "actions_html",
  "description_html",
];
const copiedColumns = [...textColumns, "disabled", "source", '"sourceID"'];

/** $1 the record, $2 its template, $3 the account, $4 now, $5 the workflow of the record */
const buildCopyStatement = (record: string, from: string) =>
  statement(
    `INSERT INTO automation_rules (account_id, created_at, updated_at, ${record}_id, copied_from, ${copiedColumns.join(", ")})
SELECT $3, $4::timestamptz, $4::timestamptz, $1::integer, id, ${copiedColumns.join(", ")} FROM automation_rules WHERE account_id = $3 AND ${from} ORDER BY position, id RETURNING 1`,
  );
const copyToRequest = buildCopyStatement("request", "request_template_id = $2");
const copyToWorkflow = buildCopyStatement("workflow", "workflow_template_id = $2 AND task_template_id IS NULL");
const copyToTask = buildCopyStatement(
  "task",
  "task_template_id = $2 AND (workflow_template_id IS NULL OR workflow_template_id = (SELECT template_id FROM workflows WHERE id = $5::integer AND account_id = $3))",
);
const copyToProjectTask = buildCopyStatement(
  "project_task",
  "project_task_template_id = $2 AND project_template_id IS NULL",
);
const deleteCopiesOfRequest = statement(
  "DELETE FROM automation_rules WHERE request_id = $1 AND account_id = $2 AND copied_from IS NOT NULL",
);

/** Returns whether rules were copied to the record. */
export async function copyRulesFromTemplate(
  tx: Transaction,
  { type, id, account, action, before, after }: ChangeEvent,
  accountRules: AccountRules,
  now: Date,
): Promise<boolean> {
  const template = after?.template;
  if (after === null || template === before?.template) return false;
  if (type.name === "request" && before?.template != null && accountRules.linked.has("request"))
    tx.send(deleteCopiesOfRequest, [id, account]);
  if (typeof template !== "number" || (action !== "create" && type.name !== "request")) return false;
  const has = (kind: string) => accountRules.templates.has(`${kind} ${template}`);
  const values = [id, template, account, toTimestamp(now)];
  const rows =
    type.name === "request" && has("request_template")
      ? await tx.query(copyToRequest, values)
      : type.name === "workflow" && has("workflow_template")
        ? await tx.query(copyToWorkflow, values)
        : type.name === "task" && has("task_template")
          ? await tx.query(copyToTask, [...values, after.workflow as number])
          : type.name === "project_task" && has("project_task_template")
            ? await tx.query(copyToProjectTask, values)
            : [];
  return rows.length > 0;
}

const instances = "app_instances i JOIN app_offering_automation_rules o ON o.app_offering_id = i.app_offering_id";
const isDisabledSql = "(i.disabled OR i.suspended OR i.enabled_by_customer IS NOT TRUE)";
const instanceFilter = "($1::integer IS NULL OR i.id = $1) AND ($2::integer IS NULL OR i.app_offering_id = $2)";
const refresh = statement(
  `UPDATE automation_rules r SET disabled = ${isDisabledSql}, generic = CASE o.rulable_type WHEN 'Req' THEN 'request' ELSE lower(o.rulable_type) END,
  updated_at = $3::timestamptz, ${textColumns.map((name) => `${name} = o.${name}`).join(", ")}
FROM ${instances} WHERE ${instanceFilter} AND r.app_instance_id = i.id AND r.copied_from = o.id RETURNING r.account_id`,
);
const install = statement(
  `INSERT INTO automation_rules (account_id, created_at, updated_at, app_instance_id, copied_from, disabled, generic, ${textColumns.join(", ")})
SELECT i.account_id, $3::timestamptz, $3::timestamptz, i.id, o.id, ${isDisabledSql}, CASE o.rulable_type WHEN 'Req' THEN 'request' ELSE lower(o.rulable_type) END, ${textColumns.map((name) => `o.${name}`).join(", ")}
FROM ${instances} WHERE ${instanceFilter} AND NOT EXISTS (SELECT 1 FROM automation_rules r WHERE r.app_instance_id = i.id AND r.copied_from = o.id)
RETURNING account_id`,
);
const uninstall = statement(
  `DELETE FROM automation_rules r USING app_instances i WHERE ${instanceFilter} AND r.app_instance_id = i.id
  AND NOT EXISTS (SELECT 1 FROM app_offering_automation_rules o WHERE o.id = r.copied_from AND o.app_offering_id = i.app_offering_id)
RETURNING r.account_id`,
);

/** Updates the copies when an app instance or a rule of an app offering changes. */
export async function syncAppRules(
  tx: Transaction,
  { type, id, before, after }: ChangeEvent,
  cache: RuleCache,
  now: Date,
): Promise<void> {
  const offering = type.name === "app_instance" ? null : ((after ?? before)?.app_offering as number);
  const values = [type.name === "app_instance" ? id : null, offering];
  const at = toTimestamp(now);
  const rows = [
    ...(await tx.query(uninstall, values)),
    ...(await tx.query(refresh, [...values, at])),
    ...(await tx.query(install, [...values, at])),
  ];
  for (const account of new Set(rows.map(([name]) => name as string))) cache.invalidate(tx, account);
}
