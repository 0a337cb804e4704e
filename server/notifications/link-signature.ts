import { createHmac, timingSafeEqual } from "node:crypto";

// Links in emails are signed: the signature replaces a session. The parts begin with what the link is for, so that a
// signature is worth nothing in another link.

export type LinkParts = readonly [purpose: string, ...parts: (string | number)[]];

export const signLink = (secret: string, parts: LinkParts): string =>
  createHmac("sha256", secret).update(JSON.stringify(parts)).digest("hex").slice(0, 40);

/** Whether a text can be a signature at all: what is not is refused before anything is read for it. */
export const looksSigned = (signature: string): boolean => /^[0-9a-f]{40}$/.test(signature);

export const isSignedBy = (secret: string, parts: LinkParts, signature: string): boolean =>
  looksSigned(signature) && timingSafeEqual(Buffer.from(signLink(secret, parts)), Buffer.from(signature));
