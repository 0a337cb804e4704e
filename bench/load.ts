import pg from "pg";
import { hashOf, newToken } from "../server/oauth/tokens.ts";

// The data that is measured: one account with many people, loaded by SQL because creating them is not what is measured.

export const account = "bench";
const beginning = "2026-01-01T00:00:00Z";

export type Loaded = { token: string; people: number };

export async function load(url: string, people: number, progress: (line: string) => void): Promise<Loaded> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const token = newToken();
  await client.query("SET session_replication_role = replica");
  progress(`loading ${people} people, their audit lines and contacts`);
  await client.query(
    `INSERT INTO accounts (id, name, organization_id, owner_id, plan, currency, locale, time_zone, start_of_week, created_at, updated_at) VALUES ($1, 'Bench', 1, 1, 'premium', 'eur', 'en-US', 'UTC', 'mon', $2, $2)`,
    [account, beginning],
  );
  await client.query(
    `INSERT INTO organizations (account_id, name, created_at, updated_at) SELECT $1, 'Organization ' || n, $2, $2 FROM generate_series(1, 50) n`,
    [account, beginning],
  );
  await client.query(
    `INSERT INTO sites (account_id, name, "sourceID", created_at, updated_at) SELECT $1, 'Site ' || n, 'S' || n, $2, $2 FROM generate_series(1, 20) n`,
    [account, beginning],
  );
  await client.query(
    `INSERT INTO teams (account_id, name, created_at, updated_at) SELECT $1, 'Team ' || n, $2, $2 FROM generate_series(1, 50) n`,
    [account, beginning],
  );
  await client.query(
    `INSERT INTO people (account_id, name, primary_email, source, "sourceID", organization_id, site_id, manager_id, job_title, disabled, locale, time_zone, time_format_24h,
       send_email_notifications, show_notification_popup, cost_per_hour, information, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'person' || n || '@bench.example', 'bench', 'P' || n, 1 + n % 50, 1 + n % 20, CASE WHEN n > 1000 THEN 1 + n % 1000 END, 'Job ' || n % 40, n % 10 = 0,
       'en-US', 'UTC', true, 'always', 'always', 40 + n % 60, 'Knows about ' || n % 7 || ' things and is happy to help.',
       $2::timestamptz + n * interval '1 minute', $2::timestamptz + n * interval '1 minute' + (n % 97) * interval '1 hour'
     FROM generate_series(1, $3::integer) n`,
    [account, beginning, people],
  );
  await client.query(
    `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at)
     SELECT $1, 'create', 'person', id, jsonb_build_object('name', jsonb_build_array(NULL, name)), 1, 1, created_at FROM people`,
    [account],
  );
  await client.query(
    `INSERT INTO contacts (account_id, person_id, label, telephone, created_at, updated_at) SELECT $1, id, 'work', '+31 20 ' || id, created_at, created_at FROM people WHERE id % 2 = 0`,
    [account],
  );
  await client.query(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ($1, 1, 'account_administrator', $2)",
    [account, beginning],
  );
  await client.query(
    `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ($1, 1, 'personal', 'bench', $2, '[{"effect":"allow","actions":["*:*"],"accounts":[]}]', $3)`,
    [account, hashOf(token), beginning],
  );
  progress("collecting statistics");
  await client.query("VACUUM ANALYZE");
  await client.end();
  return { token, people };
}
