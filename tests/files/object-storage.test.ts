import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, test } from "vitest";
import { atFileEnd } from "../support/cleanup.ts";
import { type ObjectStorage, startObjectStorage } from "../support/object-storage/object-storage.ts";
import { runCommandHere } from "../support/processes/command-line.ts";
import { keepDraft, uploadTextFile } from "../support/records/upload.ts";
import { people } from "../support/seed.ts";
import { type Client, type World, world } from "../support/world.ts";

// CV21, CV22, CO23, CO24 with files in object storage.

let storage: ObjectStorage;
beforeAll(async () => {
  storage = await startObjectStorage();
});

const attach = async (by: Client, key: string) => {
  const { status, body, text } = await by.post("/specimens", { subject: "x", long: "y", long_attachments: [{ key }] });
  assert.equal(status, 200, text);
  return body;
};
const fetchText = async (uri: string) => {
  const reply = await fetch(uri);
  return [reply.status, await reply.text()];
};

describe("through the server", () => {
  let the: World;
  let me: Client;
  beforeAll(async () => {
    the = await world({ env: storage.env });
    me = the.as("administrator");
  });

  test("clients upload and download as before, and the bytes are in the bucket", async () => {
    const { body: granted } = await me.get("/attachments/storage");
    assert.deepEqual([granted.provider, granted.upload_uri], ["local", `${the.base}/attachments`]);
    const key = await uploadTextFile(me, "a b.txt", "hello");
    assert.deepEqual(await storage.keys(), [key]);
    const { id, attachments } = await attach(me, key);
    assert.deepEqual(await fetchText(attachments[0].uri), [200, "hello"]);
    const rest = await fetch(attachments[0].uri, { headers: { Range: "bytes=2-" } });
    assert.deepEqual([rest.status, rest.headers.get("content-range"), await rest.text()], [206, "bytes 2-4/5", "llo"]);
    assert.equal((await fetch(attachments[0].uri, { headers: { Range: "bytes=5-" } })).status, 416);
    await me.patch(`/specimens/${id}`, { long_attachments: [{ key, _destroy: true }] });
    await the.clock.pass(1);
    assert.deepEqual(await storage.keys(), []);
  });

  test("while the storage is down, uploads and downloads are a 503 and everything else works", async () => {
    const key = await uploadTextFile(me, "kept.txt", "kept");
    const { id, attachments } = await attach(me, key);
    const granted = (await me.get("/attachments/storage")).body;
    const send = () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(granted.local)) form.set(name, String(value));
      form.set("file", new Blob(["late"]), "late.txt");
      return me.post("/attachments", form);
    };
    storage.stop();
    const refused = await send();
    assert.equal(refused.status, 503);
    assert.deepEqual(refused.body, { message: "Service Unavailable: the file storage does not answer" });
    assert.equal(refused.headers.get("retry-after"), "5");
    assert.equal((await fetch(attachments[0].uri)).status, 503);
    assert.equal((await fetch(`${the.url}/health/ready`)).status, 200);
    // The file of a deleted attachment is deleted when the storage is back.
    const removed = await me.patch(`/specimens/${id}`, { long_attachments: [{ key, _destroy: true }] });
    assert.equal(removed.status, 200);
    await the.clock.pass(1);
    assert.deepEqual(await storage.keys(), [key]);
    storage.start();
    const uploaded = await send();
    assert.equal(uploaded.status, 200, "the same grant works once the storage is back");
    await the.clock.pass(60);
    assert.deepEqual(await storage.keys(), [uploaded.body.key]);
    assert.deepEqual(await fetchText((await attach(me, uploaded.body.key)).attachments[0].uri), [200, "late"]);
  });

  test("an export that fails because the storage is down is written later", async () => {
    storage.stop();
    const { status, body } = await me.post("/export", { type: "people" });
    assert.equal(status, 200);
    await the.clock.pass(1);
    const waiting = await the.sql<{ last_error: string }>("SELECT last_error FROM jobs WHERE kind = 'export'");
    assert.deepEqual(waiting, [{ last_error: "the file storage does not answer" }]);
    storage.start();
    await the.clock.pass(3600);
    const { body: done } = await me.get(`/export/${body.token}`);
    assert.equal(done.state, "done");
    assert.match(String((await fetchText(done.url))[1]), /ID/);
  });
});

describe("directly", () => {
  let the: World;
  let me: Client;
  beforeAll(async () => {
    the = await world({ env: { ...storage.env, FILES_URL: storage.url("&direct=yes") } });
    me = the.as("administrator");
  });

  const sendToBucket = async (name: string, content: string) => {
    const { body: granted } = await me.get("/attachments/storage");
    assert.equal(granted.provider, "s3");
    assert.ok(granted.upload_uri.startsWith(`${storage.endpoint}/`), granted.upload_uri);
    const form = new FormData();
    form.set("Content-Type", "text/plain");
    // The S3 server of the tests doesn't replace the placeholder.
    const parts = { ...granted.s3, key: granted.s3.key.replace("$" + "{filename}", name) };
    for (const [field, value] of Object.entries(parts)) form.set(field, String(value));
    form.set("file", new Blob([content]), name);
    const reply = await fetch(granted.upload_uri, { method: "POST", body: form });
    assert.equal(reply.status, 201);
    return /<Key>(.*)<\/Key>/.exec(await reply.text())?.[1] ?? "";
  };

  test("clients upload files to the bucket directly, and downloads redirect there", async () => {
    const key = await sendToBucket("direct.txt", "sent to the bucket");
    const { attachments } = await attach(me, key);
    assert.deepEqual([attachments[0].name, attachments[0].size], ["direct.txt", 18]);
    const redirect = await fetch(attachments[0].uri, { redirect: "manual" });
    assert.equal(redirect.status, 302);
    assert.ok(redirect.headers.get("location")?.startsWith(storage.endpoint));
    assert.deepEqual(await fetchText(attachments[0].uri), [200, "sent to the bucket"]);
    assert.equal((await fetch(attachments[0].uri.replace(/signature=./, "signature=x"))).status, 403);
  });

  test("a key that wasn't issued, or under which nothing was uploaded, is unknown", async () => {
    const { body: granted } = await me.get("/attachments/storage");
    const other = the.as("stranger");
    const key = await sendToBucket("mine.txt", "mine");
    for (const [by, tried] of [
      [me, granted.s3.key.replace("$" + "{filename}", "nothing.txt")],
      [me, granted.s3.key],
      [me, key.replace(/\d+-[0-9a-f]{64}/, `1-${"0".repeat(64)}`)],
      [other, key],
    ] as const) {
      const { status, body } = await by.post("/specimens", { subject: "x", long_attachments: [{ key: tried }] });
      assert.equal(status, 422);
      assert.deepEqual(body.errors, [["long_attachments", "Long attachments is not a known attachment"]]);
    }
    await attach(me, key);
  });

  test("an upload that no record uses within a day is deleted", async () => {
    const unused = await sendToBucket("unused.txt", "unused");
    const used = await sendToBucket("used.txt", "used");
    const drafted = await sendToBucket("drafted.txt", "drafted");
    await keepDraft(the, people.administrator.id, drafted);
    const { attachments } = await attach(me, used);
    await the.clock.pass(86_400);
    const keys = await storage.keys();
    assert.deepEqual(
      [unused, used, drafted].map((key) => keys.includes(key)),
      [false, true, true],
    );
    await attach(me, drafted);
    const late = await me.post("/specimens", { subject: "x", long_attachments: [{ key: unused }] });
    assert.equal(late.status, 422);
    assert.equal(attachments[0].size, 4);
  });
});

describe("moving files", () => {
  let the: World;
  let me: Client;
  let folder: string;
  let toFolder: Record<string, string>;
  let toBucket: Record<string, string>;
  beforeAll(async () => {
    folder = pathToFileURL(mkdtempSync(join(tmpdir(), "steward-moved-"))).href;
    atFileEnd(() => rmSync(new URL(folder), { recursive: true, force: true }));
    const bucket = `${storage.url().replace("?", "/moved?")}`;
    toBucket = { ...storage.env, FILES_URL: bucket, FILES_FALLBACK_URL: folder };
    toFolder = { ...storage.env, FILES_URL: folder, FILES_FALLBACK_URL: bucket };
    the = await world({ env: toBucket });
    me = the.as("administrator");
  });
  const move = (env: Record<string, string>) => runCommandHere(["files", "move", "--to", env.FILES_URL ?? ""], env);
  const countInBucket = async () => (await storage.keys()).filter((key) => key.startsWith("moved/")).length;

  test("moves files both ways while the server serves them, and resumes after an interruption", async () => {
    const uris: string[] = [];
    for (const name of ["one", "two", "three"])
      uris.push((await attach(me, await uploadTextFile(me, `${name}.txt`, name))).attachments[0].uri);
    const readAll = async () => (await Promise.all(uris.map(fetchText))).map(([, content]) => content);
    assert.equal(await countInBucket(), 3);
    const there = await move(toFolder);
    assert.deepEqual(
      [there.code, there.out.split(". ")[0]],
      [0, `3 files (1 KB) moved to ${fileURLToPath(folder)}`],
      there.err,
    );
    assert.equal(await countInBucket(), 0);
    assert.deepEqual(await readAll(), ["one", "two", "three"], "the server finds them in the folder");
    storage.stop();
    const interrupted = await move(toBucket);
    assert.deepEqual([interrupted.code, /file storage does not answer/.test(interrupted.err)], [1, true]);
    storage.start();
    const back = await move(toBucket);
    assert.equal(back.code, 0, back.err);
    assert.equal(await countInBucket(), 3);
    assert.deepEqual(await readAll(), ["one", "two", "three"]);
    const nothing = await move(toBucket);
    assert.match(nothing.out, /^0 files/, nothing.err);
  });

  test("refuses a location that the servers don't write to", async () => {
    const other = await runCommandHere(["files", "move", "--to", "file:///elsewhere"], toBucket);
    assert.deepEqual([other.code, /Set it to the new store first/.test(other.err)], [1, true]);
    const alone = await move({ ...toBucket, FILES_FALLBACK_URL: "" });
    assert.deepEqual([alone.code, /FILES_FALLBACK_URL/.test(alone.err)], [1, true]);
  });
});
