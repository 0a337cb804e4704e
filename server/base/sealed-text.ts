import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

// Secrets that must be read again are encrypted with the secret of the instance (AES-256-GCM).

/** Every purpose has a key of its own. */
const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "steward", purpose, 32));

/** `owner` names what the text belongs to: a text sealed for one owner cannot be unsealed for another. */
export function sealText(secret: string, purpose: string, owner: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, purpose), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/** Throws when the text was changed, or sealed for another purpose or owner. */
export function unsealText(secret: string, purpose: string, owner: string, sealed: string): string {
  const bytes = Buffer.from(sealed.slice(2), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret, purpose), bytes.subarray(0, 12))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}
