import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

// Tokens are 112 characters of [A-Za-z0-9], chosen at random (over 660 bits), and kept as SHA-256 only.

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 112;

/** Letters and digits from a source of random bytes, each as likely as the others. */
function pickLetters(wanted: number, bytes: () => Buffer): string {
  let text = "";
  while (text.length < wanted)
    for (const byte of bytes()) {
      // 248 is the largest multiple of 62 below 256: taking more would favour the first letters.
      if (byte < 248 && text.length < wanted) text += alphabet[byte % 62];
    }
  return text;
}

export const createRandomText = (wanted: number): string => pickLetters(wanted, () => randomBytes(wanted));
export const createToken = (): string => createRandomText(length);

/** The token that follows from another one: the same every time, and known only to who knows the secret. */
export function deriveToken(secret: string, purpose: string, from: string): string {
  let round = 0;
  return pickLetters(length, () => createHmac("sha512", secret).update(`${purpose} ${round++} ${from}`).digest());
}

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");
export const looksLikeToken = (text: string): boolean => /^[A-Za-z0-9]{112}$/.test(text);

/** Compares without telling, by the time it takes, how much of it was right. */
export function equalsConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A short signature of our own over some text, for cookies and forms. */
export const signText = (secret: string, purpose: string, text: string): string =>
  createHmac("sha256", secret).update(`${purpose} ${text}`).digest("base64url");
