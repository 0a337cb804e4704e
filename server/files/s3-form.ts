// The same grant in the format of Amazon S3, for clients that know only that (CO23). The form looks like a browser
// upload to S3; the signature is our own, over the policy, and the policy is the only credential.

import { hasValidSignature, type Secret, type SignatureRejection, sign } from "./sign.ts";
import {
  computeExpiration,
  createFileKey,
  folderPrefix,
  isExpired,
  parseGrantedKey,
  sizeLimit,
  type UploadGrantRequest,
  type ValidUploadGrant,
} from "./upload-grant.ts";

export type S3Form = {
  acl: string;
  key: string;
  policy: string;
  success_action_status: number;
  "x-amz-server-side-encryption"?: string;
  "x-amz-algorithm": string;
  "x-amz-credential": string;
  "x-amz-date": string;
  "x-amz-signature": string;
  /** of a key in a key management service, and of temporary credentials */
  "x-amz-server-side-encryption-aws-kms-key-id"?: string;
  "x-amz-security-token"?: string;
};

type Condition = Record<string, string> | ["starts-with", string, string] | ["content-length-range", number, number];
type Policy = { expiration: string; conditions: Condition[] };

export function createS3Form({ secret, accountNumber, personId, now }: UploadGrantRequest): S3Form {
  const key = createFileKey(accountNumber, personId, now);
  const date = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const repeated = {
    acl: "private",
    success_action_status: "201",
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": `steward/${date.slice(0, 8)}/local/s3/aws4_request`,
    "x-amz-date": date,
  };
  const encryption = { "x-amz-server-side-encryption": "AES256" };
  const conditions: Condition[] = [
    ...Object.entries(repeated).map(([name, value]) => ({ [name]: value })),
    ["starts-with", "$key", folderPrefix(key)],
    ["starts-with", "$Content-Type", ""],
    ["content-length-range", 0, sizeLimit],
  ];
  const policy = encode({ expiration: computeExpiration(now), conditions });
  const signature = sign(secret, "upload policy", policy);
  return { ...repeated, ...encryption, key, policy, success_action_status: 201, "x-amz-signature": signature };
}

/** The parts of the form as they were sent; S3 ignores the case of their names. */
export function checkS3Form(given: {
  secret: Secret;
  parts: ReadonlyMap<string, string>;
  now: Date;
}): ValidUploadGrant | SignatureRejection {
  const parts = new Map([...given.parts].map(([name, value]) => [name.toLowerCase(), value]));
  const policy = parts.get("policy") ?? "";
  if (!hasValidSignature(parts.get("x-amz-signature"), given.secret, "upload policy", policy)) {
    return { ok: false, reason: "invalid" };
  }
  const { expiration, conditions } = decode(policy); // ours, as the signature has shown
  if (isExpired(expiration, given.now)) return { ok: false, reason: "expired" };
  if (!conditions.every((condition) => isConditionMet(condition, parts))) return { ok: false, reason: "invalid" };
  return parseGrantedKey(parts.get("key") ?? "");
}

function isConditionMet(condition: Condition, parts: ReadonlyMap<string, string>): boolean {
  if (!Array.isArray(condition)) {
    return Object.entries(condition).every(([name, value]) => parts.get(name) === value);
  }
  if (condition[0] === "content-length-range") return true; // the store counts the bytes as they come
  const [, name, start] = condition;
  return (parts.get(name.slice(1).toLowerCase()) ?? "").startsWith(start);
}

function encode(policy: Policy): string {
  return Buffer.from(JSON.stringify(policy)).toString("base64");
}

function decode(policy: string): Policy {
  return JSON.parse(Buffer.from(policy, "base64").toString());
}
