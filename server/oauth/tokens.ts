import { createHash, randomBytes } from "node:crypto";

// Tokens are 112 characters of [A-Za-z0-9], chosen at random (over 660 bits), and kept as SHA-256 only.

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 112;

export function newToken(): string {
  let token = "";
  while (token.length < length)
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256: taking more would favour the first letters.
      if (byte < 248 && token.length < length) token += alphabet[byte % 62];
    }
  return token;
}

export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");
export const looksLikeToken = (text: string): boolean => /^[A-Za-z0-9]{112}$/.test(text);
