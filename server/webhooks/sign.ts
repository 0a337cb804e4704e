import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { base64url, decodeJwt, type JWTPayload, SignJWT } from "jose";
import { isAsymmetric, type Key } from "./keys.ts";

// Reference: webhooks.md section 5. A signed message is {"jwt": "..."} and nothing else.

export type Signing = {
  key: Key;
  webhook: number;
  /** address of the account */
  account: string;
  policy: string;
  audience: string | null;
  /** minutes */
  expiresIn: number | null;
  discovery: boolean;
};

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

export const issuerOf = (account: string, policy: string): string => `${account}/webhook_policies/${policy}`;

export async function signed(signing: Signing, message: unknown, now: Date): Promise<string> {
  return withSignature(signing, { data: message, jti: randomBytes(32).toString("hex") }, now);
}

/** The same message with a signature of now, or null when the one it has is still good. */
export async function signedAnew(signing: Signing, body: string, now: Date): Promise<string | null> {
  const { data, jti, exp } = decodeJwt<{ data: unknown }>((JSON.parse(body) as { jwt: string }).jwt);
  if (exp === undefined || exp > seconds(now)) return null;
  return withSignature(signing, { data, jti: jti as string }, now);
}

async function withSignature(signing: Signing, claims: { data: unknown; jti: string }, now: Date): Promise<string> {
  const { key, webhook, account, policy, audience, expiresIn } = signing;
  const isDiscoverable = signing.discovery && isAsymmetric(key.alg);
  const iat = seconds(now);
  const payload: JWTPayload = {
    data: claims.data,
    iss: isDiscoverable ? issuerOf(account, policy) : account,
    sub: String(webhook),
    iat,
    nbf: iat,
    ...(expiresIn === null ? {} : { exp: iat + expiresIn * 60 }),
    ...(audience === null ? {} : { aud: audience }),
    jti: claims.jti,
  };
  const header = { typ: "JWT", alg: key.alg === "none" ? "none" : key.alg.toUpperCase() };
  if (key.alg === "none") return JSON.stringify({ jwt: `${encoded(header)}.${encoded(payload)}.` });
  const jwt = await new SignJWT(payload)
    .setProtectedHeader(isDiscoverable ? { ...header, kid: key.kid } : header)
    .sign(materialOf(key));
  return JSON.stringify({ jwt });
}

const encoded = (part: unknown): string => base64url.encode(JSON.stringify(part));

const parsed = new Map<string, KeyObject>();

function materialOf(key: Key): KeyObject | Uint8Array {
  if (key.secret !== undefined) return Buffer.from(key.secret);
  let found = parsed.get(key.kid);
  if (found === undefined) {
    found = createPrivateKey(key.privatePem as string);
    if (parsed.size > 500) parsed.clear();
    parsed.set(key.kid, found);
  }
  return found;
}
