import { statement, type Transaction } from "../../database/database.ts";
import { addSeconds } from "../oauth-context.ts";
import type { Scope } from "../scopes/scopes.ts";
import { hashToken } from "../tokens.ts";

export const accessSeconds = 3600;
export const refreshSeconds = 14 * 24 * 3600;

/** The owner of a token, and what it was issued from. */
export type TokenOrigin = {
  account: string;
  person: number;
  application: number | null;
  client: number | null;
  authorization: number | null;
  code: number | null;
  session: number | null;
  scopes: readonly Scope[];
};

/** `lifetime`: seconds */
export type NewToken = { kind: "access" | "refresh"; token: string; lifetime: number };

const insert = statement(
  `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at, expires_at, application_id, client_id, authorization_id, code_id, session_id)
VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

export function issueToken(
  tx: Transaction,
  now: Date,
  { kind, token, lifetime }: NewToken,
  { account, person, application, client, authorization, code, session, scopes }: TokenOrigin,
): void {
  tx.send(insert, [
    account,
    person,
    kind,
    hashToken(token),
    JSON.stringify(scopes),
    now.toISOString(),
    addSeconds(now, lifetime),
    application,
    client,
    authorization,
    code,
    session,
  ]);
}

/** The response of the token endpoint. */
export type TokenResponse = { access_token: string; token_type: "bearer"; expires_in: number; refresh_token?: string };

export const buildTokenResponse = (
  access_token: string,
  expires_in: number,
  refresh_token?: string,
): TokenResponse => ({
  access_token,
  token_type: "bearer",
  expires_in,
  ...(refresh_token === undefined ? {} : { refresh_token }),
});
