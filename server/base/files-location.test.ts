import assert from "node:assert/strict";
import { test } from "vitest";
import { getFilesLocation, readConfiguration } from "./configuration.ts";
import { describeLocation, parseFilesUrl, type S3Location } from "./files-location.ts";

const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
const parse = (text: string, more: Record<string, string> = {}) =>
  parseFilesUrl("FILES_URL", text, { ...env, ...more });

test("files are in the data folder unless FILES_URL is set", () => {
  const path = "/srv/data/attachments";
  assert.deepEqual(getFilesLocation(readConfiguration({ DATA_DIR: "/srv/data" })), { kind: "folder", path });
  assert.deepEqual(parse("file:///srv/more%20files"), { kind: "folder", path: "/srv/more files" });
  assert.equal(describeLocation(parse("s3://bucket/a/b/")), "s3://bucket/a/b/");
});

test("a bucket takes missing settings from the standard variables", () => {
  const plain = parse("s3://bucket", { AWS_REGION: "eu-west-1", AWS_SESSION_TOKEN: "t" }) as S3Location;
  assert.equal(plain.endpoint, "https://s3.eu-west-1.amazonaws.com");
  assert.deepEqual([plain.isPathStyle, plain.encryption, plain.isDirect, plain.prefix], [false, "AES256", false, ""]);
  assert.deepEqual(plain.credentials, { accessKeyId: "id", secretAccessKey: "secret", sessionToken: "t" });
  const own = parse("s3://bucket/a?endpoint=http://minio:9000&encryption=none&timeout=3") as S3Location;
  assert.deepEqual([own.endpoint, own.isPathStyle, own.encryption], ["http://minio:9000", true, null]);
  assert.deepEqual([own.prefix, own.region, own.timeoutSeconds], ["a/", "us-east-1", 3]);
  assert.equal((parse("s3://b.c.d") as S3Location).isPathStyle, true);
});

// biome-ignore format: a table keeps its columns
test.each([
  ["http://bucket",                       /must look like s3:/],
  ["s3://",                               /must look like s3:/],
  ["file://host/x",                       /must look like s3:/],
  ["s3://id:secret@bucket",               /must not contain credentials/],
  ["s3://bucket?regoin=x",                /Unknown parameter regoin/],
  ["s3://bucket?encryption=AES",          /encryption in FILES_URL must be/],
  ["s3://bucket?endpoint=minio",          /endpoint in FILES_URL/],
  ["s3://bucket?timeout=0",               /timeout in FILES_URL/],
  ["s3://bucket/a/../b?direct=maybe",     /direct in FILES_URL/],
  ["s3://bucket/a?direct=yes",            /dedicated bucket/],
  ["s3://bucket/a%20b",                   /folder in FILES_URL/],
])("%s is refused", (text, message) => {
  assert.throws(() => parse(text), message);
});

test("a bucket needs credentials", () => {
  assert.throws(() => parseFilesUrl("FILES_URL", "s3://bucket", {}), /requires credentials/);
});
