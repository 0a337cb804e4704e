import pg from "pg";
import { createToken, hashToken } from "../server/oauth/tokens.ts";
import { buildIndexDrops, recreateIndexes } from "../server/schema/deferred-indexes.ts";

// The data to measure: one account with many requests, loaded by SQL because their creation is not
// measured. One request a minute; open requests are among the newest, as at a desk that keeps up with its work: more requests
// are more history, not a longer backlog. Every service instance has three agreements that cover everyone.

export const account = "bench";
const firstRequestAt = "2026-01-01T00:00:00Z";

/** Of so many newest requests four in ten are open. */
export const recentRequests = 10_000;

export type LoadedAccount = { token: string };
/** Expressions for what is written in requests and their notes, and statements that come before. */
export type RequestTexts = { subject: string; note: string; before: readonly string[] };
const plainTexts: RequestTexts = {
  subject: "'Request ' || n || ' about a thing that does not work'",
  note: "'It worked yesterday.'",
  before: [],
};

const largeTables = ["requests", "notes", "audit_lines", "affected_slas"];

export async function loadData(
  url: string,
  requests: number,
  progress: (line: string) => void,
  texts: RequestTexts = plainTexts,
): Promise<LoadedAccount> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const token = createToken();
  const insert = (sql: string, ...values: unknown[]) => client.query(sql, [account, firstRequestAt, ...values]);
  await client.query("SET session_replication_role = replica");
  for (const statement of [...texts.before, ...buildIndexDrops(largeTables)]) await client.query(statement);
  progress(`loading ${requests} requests, their notes and audit lines`);
  await insert(
    `INSERT INTO accounts (id, name, organization_id, owner_id, plan, currency, locale, time_zone, start_of_week, created_at, updated_at) VALUES ($1, 'Bench', 1, 1, 'premium', 'eur', 'en-US', 'UTC', 'mon', $2, $2)`,
  );
  await insert(
    `INSERT INTO organizations (account_id, name, created_at, updated_at) SELECT $1, 'Organization ' || n, $2, $2 FROM generate_series(1, 50) n`,
  );
  await insert(
    `INSERT INTO sites (account_id, name, "sourceID", created_at, updated_at) SELECT $1, 'Site ' || n, 'S' || n, $2, $2 FROM generate_series(1, 20) n`,
  );
  await insert(
    `INSERT INTO teams (account_id, name, created_at, updated_at) SELECT $1, 'Team ' || n, $2, $2 FROM generate_series(1, 50) n`,
  );
  await insert(
    `INSERT INTO people (account_id, name, primary_email, source, "sourceID", organization_id, site_id, job_title, locale, time_zone, time_format_24h, send_email_notifications, show_notification_popup, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'person' || n || '@bench.example', 'bench', 'P' || n, 1 + n % 50, 1 + n % 20, 'Job ' || n % 40, 'en-US', 'UTC', true, 'always', 'always', $2, $2 FROM generate_series(1, 1000) n`,
  );
  await insert(
    `INSERT INTO team_members (account_id, team_id, person_id) SELECT $1, 1 + n % 50, n FROM generate_series(1, 1000) n WHERE $2::text IS NOT NULL`,
  );
  await insert(
    `INSERT INTO services (account_id, name, provider_id, support_team_id, created_at, updated_at) SELECT $1, 'Service ' || n, 1, n, $2, $2 FROM generate_series(1, 20) n`,
  );
  await insert(
    `INSERT INTO service_instances (account_id, name, service_id, status, support_team_id, first_line_team_id, created_at, updated_at) SELECT $1, 'Instance ' || n, n, 'in_production', n, n + 1, $2, $2 FROM generate_series(1, 20) n`,
  );
  await insert(
    `INSERT INTO calendars (account_id, name, created_at, updated_at) VALUES ($1, 'Weekdays 8 to 18', $2, $2)`,
  );
  await insert(
    `INSERT INTO calendar_hours (account_id, calendar_id, weekday, time_from, time_until, created_at, updated_at) SELECT $1, 1, day, '08:00', '18:00', $2, $2 FROM unnest(ARRAY['mon','tue','wed','thu','fri']) day`,
  );
  await insert(
    `INSERT INTO service_offerings (account_id, name, service_id, status, time_zone, response_target_medium, resolution_target_medium, support_hours_medium_id, created_at, updated_at)
     SELECT $1, 'Offering ' || n, n, 'available', 'Amsterdam', 60, 480, 1, $2, $2 FROM generate_series(1, 20) n`,
  );
  await insert(
    `INSERT INTO slas (account_id, name, service_offering_id, service_instance_id, customer_id, customer_account_id, status, coverage, start_date, created_at, updated_at)
     SELECT $1, 'SLA ' || n || ' ' || coverage, n, n, 1, $1, 'active', coverage, '2026-01-01', $2, $2
     FROM generate_series(1, 20) n, unnest(ARRAY['customer_account', 'organizations_and_descendants', 'sites']) coverage`,
  );
  await insert(
    `INSERT INTO sla_organizations (account_id, sla_id, organization_id) SELECT $1, s.id, o.id FROM slas s, organizations o WHERE s.coverage LIKE 'org%' AND $2::text IS NOT NULL`,
  );
  await insert(
    `INSERT INTO sla_sites (account_id, sla_id, site_id) SELECT $1, s.id, p.id FROM slas s, sites p WHERE s.coverage = 'sites' AND $2::text IS NOT NULL`,
  );
  await insert(
    `INSERT INTO requests (account_id, subject, category, impact, status, created_by_id, requested_by_id, requested_for_id, organization_id, service_instance_id, team_id, member_id, grouping, addressed, reviewed, urgent,
       assignment_count, reopen_count, new_assignment, provider_not_accountable, provider_was_not_accountable, completed_at, completion_reason, resolution_duration, next_target_at, source, "sourceID", created_at, updated_at)
     SELECT $1, ${texts.subject}, CASE n % 4 WHEN 0 THEN 'rfc' WHEN 1 THEN 'rfi' ELSE 'incident' END, (ARRAY['low','medium','high'])[1 + n % 3], s.status,
       1 + n % 1000, 1 + n % 1000, 1 + n % 1000, 1 + (1 + n % 1000) % 50, 1 + n % 20, 1 + n % 50, CASE WHEN n % 50 = 0 THEN 50 ELSE n % 50 END, 'none', false, true, false,
       1, 0, s.status = 'assigned', false, false, CASE WHEN s.status = 'completed' THEN t.moment + interval '2 hours' END, CASE WHEN s.status = 'completed' THEN 'solved' END, CASE WHEN s.status = 'completed' THEN 120 END,
       CASE WHEN s.status <> 'completed' THEN 'best_effort' END, 'bench', 'R' || n, t.moment, t.moment + (n % 97) * interval '1 hour'
     FROM generate_series(1, $3::integer) n,
       LATERAL (SELECT CASE WHEN n <= $3 - ${recentRequests} THEN 'completed' ELSE (ARRAY['completed','completed','completed','completed','completed','completed','assigned','in_progress','waiting_for_customer','accepted'])[1 + (n / 50) % 10] END AS status) s,
       LATERAL (SELECT $2::timestamptz + n * interval '1 minute' AS moment) t`,
    requests,
  );
  // A request that is worked on has its SLAs from the moment it was registered.
  await insert(
    `INSERT INTO affected_slas (account_id, request_id, sla_id, service_instance_id, accountability, impact, support_team_id, first_line_team_id, support_hours_id, maximum_response_duration, maximum_resolution_duration,
       time_zone, started_at, covers_requester, stopped_periods, notified, next_target_at, created_at, updated_at)
     SELECT $1, r.id, s.id, i.id, 'provider', r.impact, i.support_team_id, i.first_line_team_id, m.hours, m.response, m.resolution, 'Amsterdam', r.created_at, true, '[]', '[]', 'best_effort', r.created_at, r.created_at
     FROM requests r JOIN slas s ON s.service_instance_id = r.service_instance_id JOIN service_instances i ON i.id = r.service_instance_id,
       LATERAL (SELECT CASE WHEN r.impact = 'medium' THEN 60 END AS response, CASE WHEN r.impact = 'medium' THEN 480 END AS resolution, CASE WHEN r.impact = 'medium' THEN 1 END AS hours) m
     WHERE $2::text IS NOT NULL AND r.id > $3::integer - ${recentRequests}`,
    requests,
  );
  await insert(
    `INSERT INTO notes (account_id, text, person_id, internal, author_account_id, medium, request_id, created_at, updated_at) SELECT $1, ${texts.note}, requested_by_id, false, $1, 'default', id, created_at, created_at FROM requests WHERE $2::text IS NOT NULL`,
  );
  await insert(
    `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at)
     SELECT $1, 'create', 'request', id, jsonb_build_object('subject', jsonb_build_array(NULL, subject)), 1, 1, created_at FROM requests WHERE $2::text IS NOT NULL`,
  );
  await insert(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ($1, 1, 'account_administrator', $2)",
  );
  await insert(
    `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ($1, 1, 'personal', 'bench', $3, '[{"effect":"allow","actions":["*:*"],"accounts":[]}]', $2)`,
    hashToken(token),
  );
  progress("making indexes");
  for (const statement of ["SET maintenance_work_mem = '512MB'", ...recreateIndexes]) await client.query(statement);
  progress("collecting statistics");
  await client.query("VACUUM ANALYZE");
  await client.end();
  return { token };
}
