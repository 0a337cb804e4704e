import type pg from "pg";
import { buildIndexDrops, recreateIndexes } from "../../server/schema/deferred-indexes.ts";
import { account } from "../load-data.ts";

// Fills every table that grows with the work of an account, by one statement each: rows are numbered by `n`, and what is open
// is among the newest, as in load-data.ts. Columns that must not be empty and are not mentioned get a value of their type.

type Filling = {
  table: string;
  /** of the rows wanted; 1 unless given */
  share?: number;
  /** not more than these */
  atMost?: number;
  /** expressions of the row number `n`, the number of rows `$2` and the moment `at`, by column */
  columns: Readonly<Record<string, string>>;
};

const isRecent = "n > $2 - 10000";
const pickFrom = (...values: string[]) => `(ARRAY[${values.map((value) => `'${value}'`).join(",")}])`;
const person = "1 + n % 1000";
const team = "1 + n % 50";
const service = "1 + n % 20";

// biome-ignore format: a table keeps its columns
const fillings: readonly Filling[] = [
  { table: "product_categories", atMost: 10, columns: { name: "'Category ' || n", rule_set: "'physical_asset'" } },
  { table: "products", atMost: 100, columns: { name: "'Product ' || n", brand: "'Brand ' || n % 7", model: "'Model ' || n", category_id: "1 + n % 10" } },
  { table: "workflow_types", atMost: 5, columns: { name: "'Type ' || n" } },
  { table: "workflow_templates", atMost: 10, columns: { subject: "'Workflow template ' || n" } },
  { table: "task_templates", atMost: 10, columns: { subject: "'Task template ' || n", category: "'implementation'", planned_duration: "60" } },
  { table: "projects", atMost: 1000, columns: { subject: "'Project ' || n", justification: "'improvement'", manager_id: person, service_id: service, customer_id: team, program: "'none'", work_hours_id: "1", time_zone: "'Amsterdam'", status: "'in_progress'" } },
  { table: "webhooks", atMost: 1, columns: { name: "'Bench'", event: "'request.create'", uri: "'https://hook.example/'" } },
  { table: "time_allocations", atMost: 10, columns: { name: "'Allocation ' || n", customer_category: "'none'", service_category: "'none'", description_category: "'none'" } },

  { table: "people", columns: { name: "'Person ' || 1000 + n", primary_email: "'person' || 1000 + n || '@bench.example'", source: "'bench'", "sourceID": "'P' || 1000 + n", organization_id: team, site_id: service, job_title: "'Job ' || n % 40", locale: "'en-US'", time_zone: "'UTC'", time_format_24h: "true", send_email_notifications: "'always'", show_notification_popup: "'always'" } },
  { table: "cis", columns: { name: "'Item ' || n", label: "'CI-' || lpad(n::text, 7, '0')", product_id: "1 + n % 100", status: `CASE WHEN n % 10 = 0 THEN 'removed' ELSE 'in_production' END`, support_team_id: team, service_id: service, site_id: service, rule_set: "'physical_asset'", brand: "'Brand ' || n % 7", serial_nr: "'S' || n" } },
  { table: "ci_users", share: 0.5, columns: { ci_id: "n * 2", person_id: person } },
  { table: "service_instance_cis", share: 0.2, columns: { service_instance_id: service, ci_id: "n * 5" } },
  { table: "problems", columns: { subject: "'Problem ' || n", impact: `${pickFrom("low", "medium", "high")}[1 + n % 3]`, status: `CASE WHEN ${isRecent} AND n % 10 < 4 THEN 'in_progress' ELSE 'solved' END`, manager_id: person, service_id: service, team_id: team, member_id: person } },
  { table: "workflows", columns: { subject: "'Workflow ' || n", category: "'standard'", justification: "'improvement'", status: `CASE WHEN ${isRecent} THEN 'in_progress' ELSE 'completed' END`, manager_id: person, service_id: service, template_id: "1 + n % 10", workflow_type_id: "1 + n % 5" } },
  { table: "tasks", columns: { subject: "'Task ' || n", category: "CASE WHEN n % 20 = 0 THEN 'approval' ELSE 'implementation' END", status: `CASE WHEN ${isRecent} THEN 'assigned' WHEN n % 20 = 0 THEN 'approved' ELSE 'completed' END`, workflow_id: "n", template_id: "1 + n % 10", planned_duration: "60", team_id: team, member_id: person, manager_id: person } },
  { table: "task_approvals", share: 0.05, columns: { task_id: "n * 20", approver_id: person, status: "'approved'" } },
  { table: "project_tasks", columns: { subject: "'Project task ' || n", category: "'activity'", status: `CASE WHEN ${isRecent} THEN 'assigned' ELSE 'completed' END`, project_id: "1 + n % 1000", template_id: "1", planned_duration: "60", team_id: team, manager_id: person } },
  { table: "project_task_assignments", columns: { project_task_id: "n", assignee_id: person, status: "'completed'" } },
  { table: "time_entries", columns: { date: "at::date", time_spent: "15", person_id: person, organization_id: team, request_id: "n", service_id: service, time_allocation_id: "1 + n % 10" } },
  { table: "affected_slas", columns: { request_id: "n", sla_id: "1 + n % 60", service_instance_id: service, accountability: "'provider'", impact: "'medium'", support_team_id: team, first_line_team_id: team, started_at: "at", next_target_at: `CASE WHEN ${isRecent} THEN 'best_effort' END` } },
  { table: "watches", columns: { request_id: "n", person_id: "1 + (n * 7) % 1000" } },
  { table: "inbound_emails", columns: { request_id: "n", "from": "'person' || n % 1000 || '@bench.example'", subject: "'About ' || n" } },
  { table: "survey_responses", columns: { survey_id: "1", service_id: service, rating: "n % 10", completed: "true", responded_at: "at", respondent_id: person } },
  { table: "archive", columns: { archived: "'request'", record_id: "10000000 + n", archived_by_id: "1" } },
  { table: "trash", columns: { trashed: "'request'", record_id: "20000000 + n", trashed_by_id: "1" } },
  { table: "events", columns: { event: "'request.create'", record_type: "'request'", record_id: "n", person_id: person, payload: "'{}'" } },
  { table: "attachments", columns: { key: "'bench/' || n", name: "'picture.png'", size: "1000", record_type: "'note'", record_id: "n", field: "'attachments'", person_id: person } },
  { table: "mails", columns: { recipient: "'person' || n % 1000 || '@bench.example'", subject: "'Request ' || n", body: "'Hello'", sent_at: "at", person_id: person, record_type: "'request'", record_id: "n", state: "CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'sent' END" } },
  { table: "received_mails", columns: { recipients: "ARRAY['desk@bench.example']", envelope_from: "'person' || n % 1000 || '@bench.example'", sender: "'person' || n % 1000 || '@bench.example'", size: "2000", state: "'done'", outcome: "CASE WHEN n % 1000 = 0 THEN 'rejected' ELSE 'request' END", subject: "'Request ' || n", record_type: "'request'", record_id: "n", handled_at: "now()" } },
  { table: "webhook_deliveries", columns: { webhook_id: "1", kind: "'event'", event: "'request.create'", record_id: "n", state: "CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'delivered' END", tries: "1", next_try_at: "at", finished_at: "at" } },
  { table: "webhook_attempts", columns: { delivery_id: "n", number: "1", status: "200" } },
  { table: "security_events", columns: { event: "CASE WHEN n % 1000 = 0 THEN 'sign-in-failed' ELSE 'sign-in' END", person_id: person, details: "'{}'" } },
  { table: "automation_runs", columns: { rule_id: "1 + n % 10", rule_name: "'Rule'", record_type: "'request'", record_id: "n", trigger: "'on create'", chain_id: "gen_random_uuid()", outcome: "'done'", expressions: "'{}'", actions: "'[]'" } },
  { table: "page_notifications", columns: { person_id: person, kind: "'note'", trigger: "'note added'", record_type: "'request'", record_id: "n", read_at: `CASE WHEN ${isRecent} THEN NULL ELSE at END` } },
];

const standIns: Readonly<Record<string, string>> = {
  text: "'x'",
  integer: "1",
  bigint: "1",
  boolean: "false",
  jsonb: "'{}'",
  date: "at::date",
  "timestamp with time zone": "at",
};

/** Adds `rows` rows to every growing table that load-data.ts does not fill. */
export async function loadGrowingTables(client: pg.Client, rows: number, say: (line: string) => void): Promise<void> {
  await client.query("SET session_replication_role = replica");
  await client.query("SET maintenance_work_mem = '512MB'");
  for (const { table, share = 1, atMost = rows, columns } of fillings) {
    const count = Math.min(atMost, Math.floor(rows * share));
    const { rows: missing } = await client.query<{ column_name: string; data_type: string }>(
      `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1
AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AND NOT column_name = ANY ($2)`,
      [table, ["account_id", ...Object.keys(columns)]],
    );
    const filled = {
      ...Object.fromEntries(missing.map(({ column_name: name, data_type: type }) => [name, standIns[type] ?? "NULL"])),
      ...columns,
    };
    say(`filling ${table} with ${count} rows`);
    for (const statement of buildIndexDrops([table])) await client.query(statement);
    await client.query(
      `INSERT INTO ${table} (account_id, ${Object.keys(filled)
        .map((name) => `"${name}"`)
        .join(", ")})
SELECT '${account}', ${Object.values(filled).join(", ")} FROM generate_series(1, $1::integer) n,
LATERAL (SELECT '2026-01-01'::timestamptz + n * interval '1 minute' AS at, $2::integer) t`,
      [count, rows],
    );
    for (const statement of recreateIndexes) await client.query(statement);
    await client.query(`VACUUM (ANALYZE) ${table}`);
  }
}
