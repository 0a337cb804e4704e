import { expect, test } from "vitest";
import { changesAccess } from "./access-changes.ts";

test("statements that change access are recognized, also within others", () => {
  for (const text of [
    "INSERT INTO permissions (account_id) VALUES ($1) ON CONFLICT DO NOTHING",
    `UPDATE "people" SET "job_title" = $3, "disabled" = $4, revision = revision + 1 WHERE id = $1`,
    "UPDATE people a SET locale = g.locale FROM json_populate_recordset(NULL::people, $1::json) g WHERE a.id = g.id",
    "UPDATE people SET name = (SELECT x FROM y WHERE z = ')'), changed = name IS DISTINCT FROM $2, site_id = NULL",
    "UPDATE people SET (name, locale) = ($1, $2)",
    "WITH gone AS (DELETE FROM tokens WHERE id = $1 RETURNING id) SELECT count(*) FROM gone",
    "WITH a AS (UPDATE oauth_clients SET disabled = true WHERE id = $1 RETURNING 1) UPDATE people SET name = 'x'",
    "DELETE FROM sessions s USING provider_sessions x WHERE x.session_id = s.id",
    "INSERT INTO tokens (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET scopes = excluded.scopes",
  ])
    expect(changesAccess(text), text).toBe(true);
});

test("frequent statements that don't change access are not", () => {
  for (const text of [
    "UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND scopes = $3",
    "UPDATE people SET name = $1 WHERE disabled = false",
    "UPDATE people SET name = (SELECT name FROM x WHERE disabled = true) WHERE id = $1",
    "INSERT INTO tokens (id, scopes) VALUES ($1, $2)",
    "INSERT INTO sessions (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at",
    "UPDATE sessions SET last_seen_at = $2 WHERE id = $1",
    "WITH a AS (UPDATE people SET name = $1 WHERE id = $2) UPDATE teams SET disabled = true",
    "SELECT id FROM accounts WHERE id = $1 FOR UPDATE",
    "INSERT INTO people_contacts (disabled) VALUES (true)",
  ])
    expect(changesAccess(text), text).toBe(false);
});
