import { randomBytes } from "node:crypto";
import { hashToken, signText } from "../../../server/oauth/tokens.ts";
import { people, type Role } from "../seed.ts";

/** Creates a session as sign-in does, without the time that hashing a password takes. */
export async function beginSession(
  run: (text: string, values: unknown[]) => Promise<unknown>,
  secret: string,
  role: Role,
  now: Date = new Date(),
): Promise<{ cookie: string; csrf: string }> {
  const own = randomBytes(32).toString("base64url");
  const hash = hashToken(own);
  const { id, account } = people[role];
  await run(
    `INSERT INTO sessions (account_id, person_id, secret_hash, created_at, last_seen_at, idle_expires_at, expires_at, user_agent, address)
VALUES ($1, $2, $3, $4, $4, $4::timestamptz + interval '30 days', $4::timestamptz + interval '30 days', 'survival', '127.0.0.1')`,
    [account, id, hash, now.toISOString()],
  );
  return { cookie: `steward_session=${own}`, csrf: signText(secret, "form of session", hash) };
}
