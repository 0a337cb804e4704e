// The form by which a browser or an API client sends a file to the bucket itself. Amazon documents the signature as
// "Browser-Based Uploads Using POST".

import { createHmac } from "node:crypto";
import type { S3Location } from "../../base/files-location.ts";
import type { S3Form } from "../s3-form.ts";
import { folderPrefix, sizeLimit } from "../upload-grant.ts";
import { buildEncryptionHeaders } from "./put-file.ts";

const validMinutes = 10;

/** `now`: the service compares it with its own clock. */
export function createPostForm(location: S3Location, key: string, now: Date): S3Form {
  const { region, credentials, bucket } = location;
  const date = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const day = date.slice(0, 8);
  const repeated = {
    acl: "private",
    success_action_status: "201",
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": `${credentials.accessKeyId}/${day}/${region}/s3/aws4_request`,
    "x-amz-date": date,
    ...buildEncryptionHeaders(location),
    ...(credentials.sessionToken === undefined ? {} : { "x-amz-security-token": credentials.sessionToken }),
  };
  const policy = Buffer.from(
    JSON.stringify({
      expiration: new Date(now.getTime() + validMinutes * 60_000).toISOString(),
      conditions: [
        { bucket },
        ...Object.entries(repeated).map(([name, value]) => ({ [name]: value })),
        ["starts-with", "$key", folderPrefix(key)],
        ["starts-with", "$Content-Type", ""],
        ["content-length-range", 0, sizeLimit],
      ],
    }),
  ).toString("base64");
  return {
    ...repeated,
    success_action_status: 201,
    key,
    policy,
    "x-amz-signature": signPolicy(credentials.secretAccessKey, day, region, policy),
  };
}

/** The signature of a policy (AWS Signature Version 4). */
export function signPolicy(secret: string, day: string, region: string, policy: string): string {
  const key = [day, region, "s3", "aws4_request"].reduce(
    (parent: string | Buffer, word) => createHmac("sha256", parent).update(word).digest(),
    `AWS4${secret}`,
  );
  return createHmac("sha256", key).update(policy).digest("hex");
}
