import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { beforeAll, describe, test } from "vitest";
import { atFileEnd } from "../../../tests/support/cleanup.ts";
import { type ObjectStorage, startObjectStorage } from "../../../tests/support/object-storage/object-storage.ts";
import { parseFilesUrl, type S3Location } from "../../base/files-location.ts";
import {
  FileDamaged,
  FileMissing,
  FileTooLarge,
  FolderStore,
  fileNamePlaceholder,
  StorageAway,
  type StoredFile,
} from "../index.ts";
import { listObjects } from "./list-objects.ts";
import { createPostForm, signPolicy } from "./post-form.ts";
import { putFile } from "./put-file.ts";
import { type S3Call, S3Client } from "./s3-client.ts";
import { S3Store } from "./s3-store.ts";

let storage: ObjectStorage;
let scratch: string;
let store: S3Store;
const locate = (parameters = "", env = storage.env) =>
  parseFilesUrl("FILES_URL", storage.url(parameters), env) as S3Location;
const open = (location: S3Location) => new S3Store(location, new FolderStore(scratch));
const stream = (content: string | Buffer) => Readable.from([Buffer.from(content)], { objectMode: false });
const list = async (prefix: string, from = store) => {
  const found: string[] = [];
  for await (const { key, size } of from.list(prefix)) found.push(`${key} ${size}`);
  return found;
};

beforeAll(async () => {
  storage = await startObjectStorage();
  scratch = mkdtempSync(join(tmpdir(), "steward-scratch-files-"));
  atFileEnd(() => rmSync(scratch, { recursive: true, force: true }));
  store = open(locate());
});

describe("files in a bucket", () => {
  test("are written, read, copied, listed and removed", async () => {
    const key = "attachments/17/a b (1) + ü %41.txt";
    const { size, sha256 } = await store.write(key, stream("hello"), 100);
    assert.deepEqual([size, sha256.slice(0, 8)], [5, "2cf24dba"]);
    const read = await store.read(key);
    assert.equal(read.size, 5);
    assert.equal(await text(read.stream), "hello");
    assert.equal(await text((await store.read(key, 2)).stream), "llo");
    assert.equal(await store.getSize(key), 5);
    await store.write("attachments/17/plain.txt", stream("plain"), 100);
    await store.copy("attachments/17/plain.txt", "attachments/18/copy.txt", 100);
    assert.equal(await text((await store.read("attachments/18/copy.txt")).stream), "plain");
    assert.deepEqual(await list("attachments/1"), [
      `${key} 5`,
      "attachments/17/plain.txt 5",
      "attachments/18/copy.txt 5",
    ]);
    await store.removeFolder("attachments/17");
    await store.remove("attachments/18/copy.txt");
    await store.remove("attachments/18/copy.txt");
    assert.deepEqual(await list(""), []);
    assert.deepEqual(readdirSync(scratch), []);
  });

  // The S3 server of the tests escapes such keys twice in lists, so this one is in none.
  test("may have any name", async () => {
    const key = "odd/<a> & 'b' \"c\" $&;,:@=?#[]!*~.txt";
    await store.write(key, stream("odd"), 100);
    assert.equal(await text((await store.read(key)).stream), "odd");
    await store.remove(key);
    assert.equal(await store.getSize(key), null);
  });

  test("carry their checksum and ask for encryption", async () => {
    const { sha256 } = await store.write("a/b.txt", stream("hello"), 100);
    const metadata = await storage.metadata("a/b.txt");
    assert.equal(metadata["x-amz-meta-sha256"], sha256);
    await store.write("a/empty", stream(""), 100);
    assert.equal(await text((await store.read("a/empty")).stream), "");
    await store.removeFolder("a");
  });

  // The S3 server of the tests cannot continue a list: the cipher of its tokens is gone from OpenSSL.
  test("are listed page by page", async () => {
    const page = (key: string, more: string) =>
      `<?xml version="1.0"?><ListBucketResult><Prefix>p/</Prefix>${more}<Contents><Key>${key}</Key><Size>3</Size>` +
      "<LastModified>2025-03-03T09:00:00.000Z</LastModified><Owner><ID>1</ID></Owner></Contents></ListBucketResult>";
    const asked: unknown[] = [];
    const client = {
      location: { ...locate(), prefix: "p/" },
      async sendForText({ query }: S3Call) {
        asked.push(query?.["continuation-token"]);
        return asked.length === 1
          ? page("p/a &amp; b", "<NextContinuationToken>t=1</NextContinuationToken>")
          : page("p/c &#x27;&lt;", "");
      },
    };
    const found: StoredFile[] = [];
    for await (const file of listObjects(client, "")) found.push(file);
    assert.deepEqual(asked, [undefined, "t=1"]);
    assert.deepEqual(
      found.map(({ key, size, modified }) => [key, size, modified.getUTCFullYear()]),
      [
        ["a & b", 3, 2025],
        ["c '<", 3, 2025],
      ],
    );
  });

  test("are listed below the folder of the store", async () => {
    const below = open({ ...locate(), prefix: "one/two/" });
    for (const name of ["x", "y"]) await below.write(`f/${name}`, stream(name), 10);
    assert.deepEqual(await list("", below), ["f/x 1", "f/y 1"]);
    assert.deepEqual(await storage.keys(), ["one/two/f/x", "one/two/f/y"]);
    await below.removeFolder("f");
  });

  test("that are too large, missing or named badly leave nothing behind", async () => {
    await assert.rejects(store.write("a/large", stream("123456"), 5), FileTooLarge);
    await assert.rejects(store.read("a/large"), FileMissing);
    await assert.rejects(store.read("../x"), FileMissing);
    await assert.rejects(store.copy("a/large", "a/copy", 5), FileMissing);
    assert.equal(await store.getSize("a/large"), null);
    assert.deepEqual(await storage.keys(), []);
    assert.deepEqual(readdirSync(scratch), []);
  });
});

describe("interrupted transfers", () => {
  test("a large file is sent in parts, and an interrupted part is sent again", async () => {
    const content = randomBytes(1_000_000);
    const handle = await new FolderStore(scratch).openTemporary();
    await handle.writeFile(content);
    const cuts = storage.cuts;
    storage.cutAfter(450_000, "sent");
    await putFile(new S3Client(locate()), "big/parts", { handle, size: content.length, sha256: "" }, 200_000);
    await handle.close();
    assert.equal(storage.cuts, cuts + 1);
    assert.ok((await buffer((await store.read("big/parts", 1)).stream)).equals(content.subarray(1)));
    await store.remove("big/parts");
  });

  test("an upload is retried although the client sent its bytes only once", async () => {
    const content = randomBytes(300_000);
    const cuts = storage.cuts;
    storage.cutAfter(200_000, "sent");
    await store.write("big/again", stream(content), 1_000_000);
    assert.equal(storage.cuts, cuts + 1);
    assert.ok((await buffer((await store.read("big/again")).stream)).equals(content));
    await store.remove("big/again");
  });

  test("an interrupted download resumes", async () => {
    const content = randomBytes(3_000_000);
    await store.write("big/down", stream(content), 4_000_000);
    const cuts = storage.cuts;
    storage.cutAfter(1_500_000, "received");
    assert.ok((await buffer((await store.read("big/down")).stream)).equals(content));
    assert.equal(storage.cuts, cuts + 1);
    await store.remove("big/down");
  });

  test("a file with a wrong checksum is never read completely", async () => {
    await store.write("a/damaged", stream("hello"), 100);
    await storage.damage("a/damaged");
    const { stream: damaged } = await store.read("a/damaged");
    await assert.rejects(text(damaged), FileDamaged);
    await store.remove("a/damaged");
  });
});

describe("a service that cannot be used", () => {
  test("that does not respond is unavailable, and works again afterwards", async () => {
    await store.write("a/kept", stream("kept"), 100);
    storage.stop();
    await assert.rejects(store.read("a/kept"), StorageAway);
    await assert.rejects(store.write("a/lost", stream("x"), 100), StorageAway);
    await assert.rejects(store.getSize("a/kept"), StorageAway);
    await assert.rejects(store.check(), /does not answer/);
    storage.start();
    assert.equal(await text((await store.read("a/kept")).stream), "kept");
    assert.deepEqual(await storage.keys(), ["a/kept"]);
    await store.remove("a/kept");
  });

  test("reports problems with the bucket or the credentials", async () => {
    await assert.rejects(open({ ...locate(), bucket: "nowhere" }).check(), /NoSuchBucket/);
    const stranger = { ...locate(), credentials: { accessKeyId: "S3RVER", secretAccessKey: "wrong" } };
    await assert.rejects(open(stranger).check(), /SignatureDoesNotMatch/);
  });
});

describe("signatures for clients", () => {
  test("an address is valid for its file until it expires", async () => {
    await store.write("a/b c+d.txt", stream("hello"), 100);
    const client = new S3Client(locate());
    const query = { "response-content-disposition": "attachment", "response-content-type": "text/x y" };
    const reply = await fetch(await client.signAddress("a/b c+d.txt", 60, query));
    assert.deepEqual([reply.status, await reply.text()], [200, "hello"]);
    assert.equal(reply.headers.get("content-disposition"), "attachment");
    assert.equal((await fetch(await client.signAddress("a/b c+d.txt", 0, query))).status, 403);
    const changed = (await client.signAddress("a/b c+d.txt", 60, query)).replace("c%2Bd", "other");
    assert.equal((await fetch(changed)).status, 403);
    await store.remove("a/b c+d.txt");
  });

  test("the policy of a form is signed as Amazon's example says", () => {
    const conditions = [
      '{ "expiration": "2015-12-30T12:00:00.000Z",',
      '  "conditions": [',
      '    {"bucket": "sigv4examplebucket"},',
      '    ["starts-with", "$key", "user/user1/"],',
      '    {"acl": "public-read"},',
      '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
      '    ["starts-with", "$Content-Type", "image/"],',
      '    {"x-amz-meta-uuid": "14365123651274"},',
      '    {"x-amz-server-side-encryption": "AES256"},',
      '    ["starts-with", "$x-amz-meta-tag", ""],',
      "",
      '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
      '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
      '    {"x-amz-date": "20151229T000000Z" }',
      "  ]",
      "}",
    ];
    const policy = Buffer.from(conditions.join("\r\n")).toString("base64");
    assert.equal(
      signPolicy("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "20151229", "us-east-1", policy),
      "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e",
    );
  });

  test("a form names every member that it repeats in its policy", () => {
    const location = locate("&region=eu-central-1&encryption=aws:kms&kms_key=k1", {
      ...storage.env,
      AWS_SESSION_TOKEN: "temporary",
    });
    const form = createPostForm(location, `attachments/1/x/${fileNamePlaceholder}`, new Date("2025-03-03T09:00:00Z"));
    const { expiration, conditions } = JSON.parse(Buffer.from(form.policy, "base64").toString());
    assert.equal(expiration, "2025-03-03T09:10:00.000Z");
    for (const [name, value] of Object.entries(form)) {
      if (["key", "policy", "x-amz-signature"].includes(name)) continue;
      assert.ok(
        conditions.some((condition: Record<string, string>) => condition[name] === String(value)),
        name,
      );
    }
    assert.equal(form["x-amz-credential"], "S3RVER/20250303/eu-central-1/s3/aws4_request");
    assert.ok(conditions.some((condition: unknown[]) => condition[2] === "attachments/1/x/"));
  });
});
