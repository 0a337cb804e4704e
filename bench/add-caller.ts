import type pg from "pg";
import { createToken, hashToken } from "../server/oauth/tokens.ts";
import { account } from "./load-data.ts";

/** Gives a person a token, and a role; returns the headers of their calls. */
export async function addCaller(
  client: pg.Client,
  person: number,
  role: string | null,
): Promise<Record<string, string>> {
  const token = createToken();
  await client.query(
    `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ($1, $2, 'personal', 'bench', $3, '[{"effect":"allow","actions":["*:*"],"accounts":[]}]', now())`,
    [account, person, hashToken(token)],
  );
  if (role !== null)
    await client.query(
      "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING",
      [account, person, role],
    );
  return { Authorization: `Bearer ${token}`, account, "User-Agent": "bench" };
}
