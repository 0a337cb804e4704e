import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { base64url, decodeJwt, type JWTPayload, SignJWT } from "jose";
import { isAsymmetric, type SigningKey } from "./signing-keys.ts";

// WH11. The body of a signed message is {"jwt": "..."}.

export type SigningOptions = {
  key: SigningKey;
  webhook: number;
  /** the URL of the account */
  account: string;
  policy: string;
  audience: string | null;
  /** minutes */
  expiresIn: number | null;
  discovery: boolean;
};

const toSeconds = (now: Date): number => Math.floor(now.getTime() / 1000);

export const buildIssuer = (account: string, policy: string): string => `${account}/webhook_policies/${policy}`;

export async function signMessage(signing: SigningOptions, message: unknown, now: Date): Promise<string> {
  return buildSignedBody(signing, { data: message, jti: randomBytes(32).toString("hex") }, now);
}

/** The same message with a new signature; null: the signature it has is not expired. */
export async function renewSignature(signing: SigningOptions, body: string, now: Date): Promise<string | null> {
  const { data, jti, exp } = decodeJwt<{ data: unknown }>((JSON.parse(body) as { jwt: string }).jwt);
  if (exp === undefined || exp > toSeconds(now)) return null;
  return buildSignedBody(signing, { data, jti: jti as string }, now);
}

async function buildSignedBody(
  signing: SigningOptions,
  claims: { data: unknown; jti: string },
  now: Date,
): Promise<string> {
  const { key, webhook, account, policy, audience, expiresIn } = signing;
  const isDiscoverable = signing.discovery && isAsymmetric(key.alg);
  const iat = toSeconds(now);
  const payload: JWTPayload = {
    data: claims.data,
    iss: isDiscoverable ? buildIssuer(account, policy) : account,
    sub: String(webhook),
    iat,
    nbf: iat,
    ...(expiresIn === null ? {} : { exp: iat + expiresIn * 60 }),
    ...(audience === null ? {} : { aud: audience }),
    jti: claims.jti,
  };
  const header = { typ: "JWT", alg: key.alg === "none" ? "none" : key.alg.toUpperCase() };
  if (key.alg === "none") return JSON.stringify({ jwt: `${encodePart(header)}.${encodePart(payload)}.` });
  const jwt = await new SignJWT(payload)
    .setProtectedHeader(isDiscoverable ? { ...header, kid: key.kid } : header)
    .sign(getKeyMaterial(key));
  return JSON.stringify({ jwt });
}

const encodePart = (part: unknown): string => base64url.encode(JSON.stringify(part));

const parsedKeys = new Map<string, KeyObject>();

function getKeyMaterial(key: SigningKey): KeyObject | Uint8Array {
  if (key.secret !== undefined) return Buffer.from(key.secret);
  let parsed = parsedKeys.get(key.kid);
  if (parsed === undefined) {
    parsed = createPrivateKey(key.privatePem as string);
    if (parsedKeys.size > 500) parsedKeys.clear();
    parsedKeys.set(key.kid, parsed);
  }
  return parsed;
}
