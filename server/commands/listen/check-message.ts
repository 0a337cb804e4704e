import { createPublicKey } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JWTVerifyResult, jwtVerify } from "jose";

// Verifies the signature of a message, as every receiver should.

export type Message = {
  event: string;
  object_id: number;
  person_name: string | null;
  payload: Record<string, unknown>;
};
/** `signature`: the result of the check, as text */
export type MessageCheck = { message: Message; signature: string };

/** Null for anything that is no webhook message. */
export async function checkMessage(text: string, key: string | null): Promise<MessageCheck | null> {
  const body = parseObject(text);
  if (body === null) return null;
  if (typeof body.jwt !== "string") return isMessage(body) ? { message: body, signature: "not signed" } : null;
  const { data } = decodeJwt<{ data?: unknown }>(body.jwt);
  if (!isMessage(data)) return null;
  return { message: data, signature: await describeSignature(body.jwt, key) };
}

async function describeSignature(jwt: string, key: string | null): Promise<string> {
  const { alg, kid } = decodeProtectedHeader(jwt);
  if (alg === "none") return "unsecured: alg none";
  try {
    if (key === null && kid === undefined) return `${alg}, not verified: pass the key with --key`;
    await (key === null ? verifyByDiscovery(jwt) : verifyByKey(jwt, key, alg ?? ""));
    return `${alg}, signature verified`;
  } catch (error) {
    return `${alg}, INVALID SIGNATURE: ${(error as Error).message}`;
  }
}

function verifyByKey(jwt: string, key: string, alg: string): Promise<JWTVerifyResult> {
  return alg.startsWith("HS") ? jwtVerify(jwt, Buffer.from(key)) : jwtVerify(jwt, createPublicKey(key));
}

async function verifyByDiscovery(jwt: string): Promise<JWTVerifyResult> {
  const { iss } = decodeJwt(jwt);
  const answer = await fetch(`${iss}/.well-known/openid-configuration`);
  const { issuer, jwks_uri } = (await answer.json()) as { issuer: string; jwks_uri: string };
  return jwtVerify(jwt, createRemoteJWKSet(new URL(jwks_uri)), { issuer });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "event" in value && "object_id" in value && "payload" in value;
