// Signed addresses of files that need no credentials for a day (CV22), for images in emails and links in pages.

import { hasValidSignature, type Secret, type SignatureRejection, sign } from "./sign.ts";

const oneDay = 24 * 60 * 60;

/** The query parameters for the address of a file; `ttl` in seconds. */
export function signDownload(given: { secret: Secret; key: string; now: Date; ttl?: number }): {
  expires: string;
  signature: string;
} {
  const { secret, key, now, ttl = oneDay } = given;
  const expires = String(Math.floor(now.getTime() / 1000) + ttl);
  return { expires, signature: sign(secret, "download", key, expires) };
}

export function checkDownload(given: {
  secret: Secret;
  key: string;
  expires: unknown;
  signature: unknown;
  now: Date;
}): { ok: true } | SignatureRejection {
  const { secret, key, expires, signature, now } = given;
  const isOurs = typeof expires === "string" && hasValidSignature(signature, secret, "download", key, expires);
  if (!isOurs) return { ok: false, reason: "invalid" };
  return now.getTime() < Number(expires) * 1000 ? { ok: true } : { ok: false, reason: "expired" };
}
