// An upload grant allows uploads to one unguessable folder for ten minutes (CV21). The signature covers the folder,
// not the file name, so that a client may also fill in `${filename}` itself.

import { randomBytes } from "node:crypto";
import { fileNamePlaceholder } from "./file-name.ts";
import { hasValidSignature, type Secret, type SignatureRejection, sign } from "./sign.ts";

export const sizeLimit = 20_971_520;
export const allowedExtensions: string[] = []; // empty: all are allowed
const grantMinutes = 10;

export type UploadGrantRequest = { secret: Secret; accountNumber: number | string; personId: number; now: Date };
export type UploadGrant = { key: string; expiration: string; signature: string };

/** The owner of a grant, which the API compares with the caller. */
export type ValidUploadGrant = { ok: true; key: string; accountNumber: string; personId: number };

export function createUploadGrant({ secret, accountNumber, personId, now }: UploadGrantRequest): UploadGrant {
  const key = createFileKey(accountNumber, personId, now);
  const expiration = computeExpiration(now);
  return { key, expiration, signature: sign(secret, "upload", folderPrefix(key), expiration) };
}

export function checkUploadGrant(given: {
  secret: Secret;
  key: string | undefined;
  expiration: string | undefined;
  signature: string | undefined;
  now: Date;
}): ValidUploadGrant | SignatureRejection {
  const { secret, key = "", expiration = "", signature, now } = given;
  if (!hasValidSignature(signature, secret, "upload", folderPrefix(key), expiration))
    return { ok: false, reason: "invalid" };
  return isExpired(expiration, now) ? { ok: false, reason: "expired" } : parseGrantedKey(key);
}

export function createFileKey(accountNumber: number | string, personId: number, now: Date): string {
  if (!/^[\w-]+$/.test(String(accountNumber)) || !Number.isSafeInteger(personId)) {
    throw new TypeError("An upload is granted to a person of an account.");
  }
  const day = now.toISOString().slice(0, 10).replaceAll("-", "/");
  const epoch = Math.floor(now.getTime() / 1000);
  const unguessable = randomBytes(32).toString("hex");
  return `attachments/${accountNumber}/${day}/${personId}/${epoch}-${unguessable}/${fileNamePlaceholder}`;
}

/** For a copy of the file that belongs to another record. */
export const parseKeyAccount = (key: string): string => key.split("/")[1] ?? "";

export function createCopyKey(key: string, account: string, person: number, now: Date): string {
  return folderPrefix(createFileKey(account, person, now)) + key.slice(folderPrefix(key).length);
}

export function computeExpiration(now: Date): string {
  return new Date(now.getTime() + grantMinutes * 60_000).toISOString();
}

export function isExpired(expiration: string, now: Date): boolean {
  return !(now.getTime() < Date.parse(expiration)); // an unreadable time has passed, too
}

/** Everything before the file name. */
export function folderPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

const keyShape = /^attachments\/([\w-]+)\/\d{4}\/\d\d\/\d\d\/(\d+)\/\d+-[0-9a-f]{64}\/[^/]+$/;

/** For keys whose folder is verified. */
export function parseGrantedKey(key: string): ValidUploadGrant | SignatureRejection {
  const [, accountNumber, personId] = keyShape.exec(key) ?? [];
  if (!accountNumber || !personId) return { ok: false, reason: "invalid" };
  return { ok: true, key, accountNumber, personId: Number(personId) };
}
