import { createHmac, randomBytes } from "node:crypto";
import { equalsConstantTime } from "../tokens.ts";

// Codes of authenticator apps: RFC 6238 with SHA-1, 30 seconds and six digits, which every app understands.

const stepSeconds = 30;
const digits = 6;
/** Clocks of telephones may be this many steps off. */
const tolerance = 1;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export const createKey = (): Buffer => randomBytes(20);

/** The key as apps accept it by hand: RFC 4648 base 32. */
export function formatKey(key: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of key) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

/** The content of the QR code. */
export function buildKeyUri(key: Buffer, email: string): string {
  const parameters = new URLSearchParams({ secret: formatKey(key), issuer: "Steward" });
  return `otpauth://totp/${encodeURIComponent(`Steward:${email}`)}?${parameters}`;
}

export function computeCode(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) as number) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export const getStep = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds);

/** The step whose code it is; null: none of the steps that are accepted now and come after `lastStep`. */
export function findStep(key: Buffer, code: string, now: Date, lastStep: number): number | null {
  const current = getStep(now);
  for (let step = current - tolerance; step <= current + tolerance; step++)
    if (step > lastStep && equalsConstantTime(computeCode(key, step), code)) return step;
  return null;
}
