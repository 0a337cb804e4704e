import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, test } from "vitest";
import { BadKey, DiskFull, FileMissing, FileTooLarge, FolderStore } from "./index.ts";

let outside: string;
let store: FolderStore;
const key = "attachments/17/2025/a.txt";
const bytes = (content: string) => Readable.from([Buffer.from(content)]);
const files = async () => (await readdir(outside, { recursive: true, withFileTypes: true })).filter((f) => f.isFile());

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "steward-files-"));
  store = new FolderStore(join(outside, "data"));
});
afterEach(() => rm(outside, { recursive: true }));

describe("the store", () => {
  test("reports a full disk, and keeps nothing", async () => {
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const stream = Readable.from(
      (async function* () {
        yield Buffer.from("some");
        throw full;
      })(),
    );
    await assert.rejects(store.write(key, stream, 100), DiskFull);
    assert.deepEqual(await files(), []);
  });

  test("removes a folder with its contents, and follows no link out of it", async () => {
    await store.write("exchange/a/1/file", bytes("x"), 5);
    await store.write("exchange/a/2/file", bytes("x"), 5);
    await writeFile(join(outside, "data/exchange/a/1/.half.part"), "x");
    await mkdir(join(outside, "other"));
    await writeFile(join(outside, "other/kept"), "x");
    await symlink(join(outside, "other"), join(outside, "data/exchange/a/1/link"));
    await store.removeFolder("exchange/a/1");
    await store.removeFolder("exchange/a/1");
    assert.deepEqual((await files()).map(({ name }) => name).sort(), ["file", "kept"]);
    for (const key of ["", "..", "exchange/../x", "/"]) await assert.rejects(store.removeFolder(key), BadKey);
  });

  test("stores a file", async () => {
    const sha256 = createHash("sha256").update("hello").digest("hex");
    assert.deepEqual(await store.write(key, Readable.from([Buffer.from("hel"), Buffer.from("lo")]), 5), {
      size: 5,
      sha256,
    });
    const { stream, size } = await store.read(key);
    assert.equal(size, 5);
    assert.equal(await text(stream), "hello");
    assert.notEqual(await store.getSize(key), null);

    await store.write(key, bytes("again"), 5);
    assert.equal(await text((await store.read(key)).stream), "again");

    await store.remove(key);
    await store.remove(key);
    assert.equal(await store.getSize(key), null);
    await assert.rejects(store.read(key), FileMissing);
    assert.deepEqual(await readdir(join(outside, "data/attachments/17")), []);
  });

  test("stores an empty file", async () => {
    assert.equal((await store.write(key, Readable.from([]), 5)).size, 0);
    assert.equal(await text((await store.read(key)).stream), "");
  });

  test("keeps nothing of a file that is too large", async () => {
    await assert.rejects(store.write(key, bytes("hello!"), 5), FileTooLarge);
    assert.deepEqual(await files(), []);
  });

  test("keeps nothing of an interrupted stream, and the older file stays", async () => {
    const broken = () =>
      Readable.from(
        (function* () {
          yield Buffer.from("he");
          throw new Error("hung up");
        })(),
      );
    await assert.rejects(store.write(key, broken(), 5), /hung up/);
    assert.deepEqual(await files(), []);

    const destroyed = new Readable({ read() {} });
    destroyed.push("he");
    setTimeout(() => destroyed.destroy(), 5);
    await assert.rejects(store.write(key, destroyed, 5), /premature close/i);

    await store.write(key, bytes("old"), 5);
    await assert.rejects(store.write(key, broken(), 5), /hung up/);
    assert.equal(await text((await store.read(key)).stream), "old");
    assert.equal((await files()).length, 1);
  });

  test("survives many uploads of one grant of which some fail", async () => {
    const uploads = Array.from({ length: 20 }, (_, n) =>
      store.write(`attachments/1/${n}`, bytes("hello"), n % 2 ? 5 : 4),
    );
    const results = await Promise.allSettled(uploads);
    assert.deepEqual(
      results.map((result) => result.status === "fulfilled"),
      uploads.map((_, n) => n % 2 === 1),
    );
  });
});

describe("the store with keys that lead elsewhere", () => {
  // biome-ignore format: one line of keys
  const hostile = ["", "/", "/etc/passwd", "..", "../x", "a/../../x", "a/./b", "a//b", "a/", ".hidden", "a/.part", "a\0b", "a\\..\\b", "a\nb", `a/${"x".repeat(256)}`, "x/".repeat(600), "a\ud800"];
  test.each(hostile)("refuses the key %j", async (bad) => {
    await writeFile(join(outside, "x"), "secret");
    await assert.rejects(store.write(bad, bytes("hello"), 5), BadKey);
    await assert.rejects(store.read(bad), FileMissing);
    assert.equal(await store.getSize(bad), null);
    await assert.rejects(store.remove(bad), BadKey);
    assert.equal(await readFile(join(outside, "x"), "utf8"), "secret");
  });

  test("does not follow symbolic links", async () => {
    await store.write(key, bytes("hello"), 5);
    await mkdir(join(outside, "elsewhere"));
    await writeFile(join(outside, "elsewhere/x"), "secret");
    await symlink(join(outside, "elsewhere"), join(outside, "data/linked"));
    await symlink(join(outside, "elsewhere/x"), join(outside, "data/attachments/x"));

    await assert.rejects(store.read("linked/x"), FileMissing);
    await assert.rejects(store.read("attachments/x"), FileMissing);
    await assert.rejects(store.write("linked/new/y", bytes("hello"), 5), BadKey);
    await assert.rejects(store.remove("linked/x"), BadKey);
    await store.write("attachments/x", bytes("hello"), 5); // takes the place of the link
    assert.deepEqual(await readdir(join(outside, "elsewhere")), ["x"]);
    assert.equal(await readFile(join(outside, "elsewhere/x"), "utf8"), "secret");
  });

  test("a folder is not a file", async () => {
    await store.write(key, bytes("hello"), 5);
    await assert.rejects(store.read("attachments/17"), FileMissing);
    await assert.rejects(store.write(`${key}/b`, bytes("hello"), 5), BadKey);
  });

  test("no key writes outside the folder", async () => {
    const part = fc.oneof(fc.constantFrom("..", ".", "", "a", "\0", "~", "\\"), fc.string({ maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        await store.write(parts.join("/"), bytes("hello"), 5).catch(() => {});
        assert.deepEqual(
          (await readdir(outside)).filter((name) => name !== "data"),
          [],
        );
      }),
      { numRuns: 60 },
    );
  });
});
