import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

// Tokens are 112 random characters of [A-Za-z0-9] (over 660 bits). Only their SHA-256 is stored.

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 112;

/** Letters and digits from a source of random bytes, without bias. */
function pickLetters(size: number, bytes: () => Buffer): string {
  let text = "";
  while (text.length < size)
    for (const byte of bytes()) {
      // 248 is the largest multiple of 62 below 256: larger bytes would favor the first letters.
      if (byte < 248 && text.length < size) text += alphabet[byte % 62];
    }
  return text;
}

export const createRandomText = (size: number): string => pickLetters(size, () => randomBytes(size));
export const createToken = (): string => createRandomText(length);

/** Derives a token from another one: deterministic, and not predictable without the secret. */
export function deriveToken(secret: string, purpose: string, source: string): string {
  let round = 0;
  return pickLetters(length, () => createHmac("sha512", secret).update(`${purpose} ${round++} ${source}`).digest());
}

/** In one step, without an object for parts of a text: every call does it. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");
export const looksLikeToken = (text: string): boolean => /^[A-Za-z0-9]{112}$/.test(text);

/** The duration of the comparison does not depend on the content. */
export function equalsConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A short signature, for cookies and forms. */
export const signText = (secret: string, purpose: string, text: string): string =>
  createHmac("sha256", secret).update(`${purpose} ${text}`).digest("base64url");
