// Signatures that only this instance can make and check.

import { createHmac, timingSafeEqual } from "node:crypto";

export type Secret = string | Buffer;

/** What is signed for one purpose says nothing for another, even where the other words agree. */
export type Purpose = "upload" | "upload policy" | "download";

export type SignatureRejection = { ok: false; reason: "invalid" | "expired" };

export function sign(secret: Secret, purpose: Purpose, ...words: string[]): string {
  // As JSON the words cannot run into each other.
  return createHmac("sha256", secret)
    .update(JSON.stringify([purpose, ...words]))
    .digest("hex");
}

/** Takes the same time however much of the signature is right. */
export function hasValidSignature(given: unknown, secret: Secret, purpose: Purpose, ...words: string[]): boolean {
  if (typeof given !== "string" || !/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(sign(secret, purpose, ...words)));
}
