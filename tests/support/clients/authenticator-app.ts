import { computeCode, getStep } from "../../../server/oauth/second-factor/one-time-password.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Computes the code that an authenticator app shows for the key that people scan or type. */
export function showCode(key: string, now: Date): string {
  let bits = "";
  for (const letter of key.replace(/\s/g, "")) bits += alphabet.indexOf(letter).toString(2).padStart(5, "0");
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return computeCode(Buffer.from(bytes), getStep(now));
}
