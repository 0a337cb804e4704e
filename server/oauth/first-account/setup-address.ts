import { randomBytes } from "node:crypto";
import { statement } from "../../database/database.ts";
import type { Oauth } from "../oauth-context.ts";
import { equalsConstantTime, signText } from "../tokens.ts";

// The address at which the first account of an empty instance is created (D-461). It is signed with the secret of the
// instance, so nothing is stored, and every process accepts what another one printed. It works until it expires, and only
// while there is no account: what it is for happens once.

const hours = 24;
const purpose = "first account";
const countAccounts = statement("SELECT 1 FROM accounts LIMIT 1");

type Signer = Pick<Oauth, "secret" | "clock">;

/** A path below the address of the instance. */
export function buildSetupPath({ secret, clock }: Signer): string {
  const expiresAt = Math.floor(clock.now().getTime() / 1000) + hours * 3600;
  const text = `${expiresAt}.${randomBytes(18).toString("base64url")}`;
  return `/setup/${text}.${signText(secret, purpose, text)}`;
}

function isGenuine({ secret, clock }: Signer, token: string): boolean {
  const [expiresAt = "", nonce = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !/^\d{10,11}$/.test(expiresAt)) return false;
  if (!equalsConstantTime(signature, signText(secret, purpose, `${expiresAt}.${nonce}`))) return false;
  return clock.now().getTime() < Number(expiresAt) * 1000;
}

/** Whether the address may be used now. Creating the account checks again under a lock. */
export async function isSetupOpen(oauth: Oauth, token: string): Promise<boolean> {
  return isGenuine(oauth, token) && (await oauth.database.read(countAccounts)).length === 0;
}
