// Signatures that only this instance can make and verify.

import { createHmac, timingSafeEqual } from "node:crypto";

export type Secret = string | Buffer;

/** The purpose is part of what is signed: a signature for one purpose is invalid for another. */
export type Purpose = "upload" | "upload policy" | "download";

export type SignatureRejection = { ok: false; reason: "invalid" | "expired" };

export function sign(secret: Secret, purpose: Purpose, ...words: string[]): string {
  // JSON keeps adjacent values from running into each other.
  return createHmac("sha256", secret)
    .update(JSON.stringify([purpose, ...words]))
    .digest("hex");
}

/** Compares in constant time. */
export function hasValidSignature(given: unknown, secret: Secret, purpose: Purpose, ...words: string[]): boolean {
  if (typeof given !== "string" || !/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(sign(secret, purpose, ...words)));
}
