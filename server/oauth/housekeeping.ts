import { statement } from "../database/database.ts";
import { addJob } from "../queue/jobs.ts";
import type { Oauth } from "./oauth-context.ts";

// Deletes expired rows once an hour. Nothing depends on it: every query checks the expiry itself.

const everySeconds = 3600;

const cleanupStatements = [
  // A personal access token that has ended is shown for another month, so that its owner knows why a program fails.
  "DELETE FROM tokens WHERE expires_at < $1 AND (kind <> 'personal' OR expires_at < $1::timestamptz - interval '30 days')",
  "DELETE FROM sessions WHERE expires_at < $1 OR idle_expires_at < $1",
  "DELETE FROM password_resets WHERE expires_at < $1",
  "DELETE FROM trusted_devices WHERE expires_at < $1",
  "DELETE FROM spent_challenges WHERE expires_at < $1",
  "DELETE FROM oauth_requests WHERE expires_at < $1",
  // A used code stays as long as tokens of it exist: using it again must revoke them.
  "DELETE FROM oauth_codes k WHERE k.expires_at < $1 AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.code_id = k.id)",
  "DELETE FROM sign_in_delays WHERE last_failed_at < $1::timestamptz - interval '1 day' AND blocked_until < $1",
  "DELETE FROM rate_windows WHERE started_at < $1::timestamptz - interval '1 hour'",
  "DELETE FROM idempotency_keys WHERE expires_at < $1",
].map(statement);

export const housekeepingJob = "remove-expired";

export async function removeExpired(oauth: Oauth): Promise<void> {
  const now = oauth.clock.now().toISOString();
  for (const each of cleanupStatements) await oauth.database.change(each, [now]);
  await planHousekeeping(oauth, everySeconds);
}

/** One job for the whole instance: adding it again only changes its time. */
export async function planHousekeeping(oauth: Oauth, after = 0): Promise<void> {
  await oauth.database.transaction(async (tx) => {
    const runAt = new Date(oauth.clock.now().getTime() + after * 1000);
    addJob(tx, { kind: housekeepingJob, key: "all", account: null, payload: {}, runAt });
  });
}
