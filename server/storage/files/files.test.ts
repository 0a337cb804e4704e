import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, test } from "vitest";
import { fileNamePlaceholder } from "./file-name.ts";
import {
  BadKey,
  buildFileKey,
  checkDownload,
  checkS3Form,
  checkUploadGrant,
  createS3Form,
  createUploadGrant,
  DiskFull,
  FileMissing,
  FileTooLarge,
  FolderStore,
  MalformedUpload,
  readUpload,
  safeFileName,
  signDownload,
  sizeLimit,
} from "./index.ts";

const secret = "a secret of this instance";
const now = new Date("2025-03-03T09:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const owner = { secret, accountNumber: 17, personId: 42, now };

describe("a grant", () => {
  test("has the key clients know and ends after ten minutes", () => {
    const grant = createUploadGrant(owner);
    assert.match(grant.key, /^attachments\/17\/2025\/03\/03\/42\/1740992400-[0-9a-f]{64}\/\$\{filename\}$/);
    assert.equal(grant.expiration, "2025-03-03T09:10:00.000Z");
    assert.notEqual(createUploadGrant(owner).key, grant.key);
    const granted = { ok: true, key: grant.key, accountNumber: "17", personId: 42 };
    assert.deepEqual(checkUploadGrant({ secret, ...grant, now: later(599) }), granted);
    assert.deepEqual(checkUploadGrant({ secret, ...grant, now: later(600) }), { ok: false, reason: "expired" });
  });

  test("holds for another name in its folder, and for nothing else", () => {
    const grant = createUploadGrant(owner);
    const invalid = { ok: false, reason: "invalid" };
    const check = (change: object) => checkUploadGrant({ secret, ...grant, now, ...change });
    const folder = grant.key.slice(0, -fileNamePlaceholder.length);
    assert.equal(check({ key: `${folder}a.txt` }).ok, true);
    assert.deepEqual(check({ key: folder }), invalid);
    assert.deepEqual(check({ key: `${folder}a/b` }), invalid);
    assert.deepEqual(check({ key: grant.key.replace("/17/", "/18/") }), invalid);
    assert.deepEqual(check({ key: undefined }), invalid);
    assert.deepEqual(check({ expiration: "2025-03-03T10:10:00.000Z" }), invalid);
    assert.deepEqual(check({ expiration: undefined }), invalid);
    assert.deepEqual(check({ secret: "another" }), invalid);
    for (const signature of [
      undefined,
      "",
      "é",
      grant.signature.toUpperCase(),
      `${grant.signature}0`,
      "0".repeat(64),
    ]) {
      assert.deepEqual(check({ signature }), invalid);
    }
  });

  test("is only given to a person of an account", () => {
    assert.throws(() => createUploadGrant({ ...owner, accountNumber: "../x" }), TypeError);
    assert.throws(() => createUploadGrant({ ...owner, personId: 0.5 }), TypeError);
  });
});

describe("the form in the words of S3", () => {
  const parts = (change: Record<string, string> = {}) => {
    const form = Object.entries({ ...createS3Form(owner), "Content-Type": "text/plain" });
    return new Map([...form.map(([name, value]) => [name, String(value)] as const), ...Object.entries(change)]);
  };

  test("holds what S3 clients repeat, under a policy", () => {
    const form = createS3Form(owner);
    assert.equal(form.acl, "private");
    assert.equal(form.success_action_status, 201);
    assert.equal(form["x-amz-algorithm"], "AWS4-HMAC-SHA256");
    assert.equal(form["x-amz-date"], "20250303T090000Z");
    assert.match(form["x-amz-credential"], /^steward\/20250303\//);
    const policy = JSON.parse(Buffer.from(form.policy, "base64").toString());
    assert.equal(policy.expiration, "2025-03-03T09:10:00.000Z");
    assert.deepEqual(policy.conditions.at(-1), ["content-length-range", 0, sizeLimit]);
  });

  test("is its own credential for ten minutes", () => {
    const granted = checkS3Form({ secret, parts: parts(), now: later(599) });
    assert.ok(granted.ok && granted.accountNumber === "17" && granted.personId === 42);
    const shouted = new Map([...parts()].map(([name, value]) => [name.toUpperCase(), value]));
    assert.equal(checkS3Form({ secret, parts: shouted, now }).ok, true);
    assert.deepEqual(checkS3Form({ secret, parts: parts(), now: later(600) }), { ok: false, reason: "expired" });
  });

  test("breaks when any part of it is changed", () => {
    const forged = Buffer.from('{"expiration":"2099-01-01T00:00:00Z","conditions":[]}').toString("base64");
    const changes: Record<string, string>[] = [
      { policy: forged },
      { policy: "" },
      { "x-amz-signature": "0".repeat(64) },
      { "x-amz-signature": createUploadGrant(owner).signature },
      { acl: "public-read" },
      { key: createUploadGrant(owner).key },
      { key: "../../etc/passwd" },
      { success_action_status: "200" },
    ];
    for (const change of changes) {
      assert.deepEqual(checkS3Form({ secret, parts: parts(change), now }), { ok: false, reason: "invalid" });
    }
    assert.deepEqual(checkS3Form({ secret, parts: new Map(), now }), { ok: false, reason: "invalid" });
    const escaping = parts();
    escaping.set("key", `${escaping.get("key")}/../../../x`);
    assert.equal(checkS3Form({ secret, parts: escaping, now }).ok, false);
  });
});

describe("a signed address", () => {
  test("opens one file for a day", () => {
    const key = "attachments/17/a.txt";
    const signed = signDownload({ secret, key, now });
    const check = (change: object) => checkDownload({ secret, key, ...signed, now, ...change });
    assert.deepEqual(check({ now: later(86_399) }), { ok: true });
    assert.deepEqual(check({ now: later(86_400) }), { ok: false, reason: "expired" });
    for (const change of [
      { key: "attachments/17/b.txt" },
      { expires: "9999999999" },
      { expires: ["1"] },
      { signature: undefined },
      { signature: signed.signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) },
      { secret: "another" },
    ]) {
      assert.deepEqual(check(change), { ok: false, reason: "invalid" });
    }
    const short = signDownload({ secret, key, now, ttl: 60 });
    assert.equal(checkDownload({ secret, key, ...short, now: later(60) }).ok, false);
  });
});

describe("the name of a file", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["report.pdf",                 "report.pdf"],
    ["C:\\fakepath\\a b.txt",      "a b.txt"],
    ["../../etc/passwd",           "passwd"],
    ["..",                         "file"],
    ["",                           "file"],
    ["a/",                         "file"],
    [". .htaccess",                "htaccess"],
    ["a\u0000b\r\n.txt",           "ab.txt"],
    ["photo\u202egpj.exe",         "photogpj.exe"],
    ["e\u0301te\u0301.txt",        "\u00e9t\u00e9.txt"],
    ["日本語 👩‍💻.txt",                 "日本語 👩‍💻.txt"],
    [`$&$1${fileNamePlaceholder}`,           `$&$1${fileNamePlaceholder}`],
    ["a\ud800",                    "a\ufffd"],
  ])("%j becomes %j", (written, safe) => {
    assert.equal(buildFileKey(`attachments/1/${fileNamePlaceholder}`, written), `attachments/1/${safe}`);
  });

  test("is cut to 255 bytes and keeps its extension", () => {
    const name = safeFileName(`${"é".repeat(300)}.docx`);
    assert.equal(name, `${"é".repeat(125)}.docx`);
    assert.equal(Buffer.byteLength(safeFileName("x".repeat(400))), 255);
  });

  test("filled in by the client is held to the same rules", () => {
    assert.equal(buildFileKey("attachments/1/a.txt", "b.txt"), "attachments/1/a.txt");
    assert.equal(buildFileKey("attachments/1/..", "b.txt"), "attachments/1/file");
    assert.equal(buildFileKey(`attachments/1/x-${fileNamePlaceholder}`, "b.txt"), "attachments/1/x-b.txt");
  });

  test("is harmless whatever was sent, and the same when made harmless twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (written) => {
        const name = safeFileName(written);
        assert.match(name, /^[^./\\\p{Cc}\p{Cs}][^/\\\p{Cc}\p{Cs}]*$/u);
        assert.ok(Buffer.byteLength(name) <= 255);
        assert.equal(name, name.normalize("NFC"));
        assert.equal(safeFileName(name), name);
        const key = buildFileKey(createUploadGrant(owner).key, written);
        assert.equal(key.split("/").length, 8);
      }),
    );
  });
});

describe("the store", () => {
  let outside: string;
  let store: FolderStore;
  const key = "attachments/17/2025/a.txt";
  const bytes = (content: string) => Readable.from([Buffer.from(content)]);
  const files = async () =>
    (await readdir(outside, { recursive: true, withFileTypes: true })).filter((f) => f.isFile());

  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), "steward-files-"));
    store = new FolderStore(join(outside, "data"));
  });
  afterEach(() => rm(outside, { recursive: true }));

  test("says that the disk is full, and keeps nothing", async () => {
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

  test("removes a folder with all that is in it, and follows no link out of it", async () => {
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

  test("keeps what it is given", async () => {
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

  test("keeps an empty file, too", async () => {
    assert.equal((await store.write(key, Readable.from([]), 5)).size, 0);
    assert.equal(await text((await store.read(key)).stream), "");
  });

  test("keeps nothing of a file that is too large", async () => {
    await assert.rejects(store.write(key, bytes("hello!"), 5), FileTooLarge);
    assert.deepEqual(await files(), []);
  });

  test("keeps nothing of a stream that breaks off, and the older file stays", async () => {
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

  test("a folder is no file", async () => {
    await store.write(key, bytes("hello"), 5);
    await assert.rejects(store.read("attachments/17"), FileMissing);
    await assert.rejects(store.write(`${key}/b`, bytes("hello"), 5), BadKey);
  });

  test("nothing is ever written outside, whatever the key", async () => {
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

describe("an upload", () => {
  const boundary = "----b0undary";
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const part = (headers: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
  const form = (...parts: string[]) => `${parts.join("")}--${boundary}--\r\n`;
  const field = part('name="key"', "attachments/é");
  const file = part('name="file"; filename="ä b.txt"\r\nContent-Type: text/plain', "hello\r\n--world");
  const inChunks = (body: string | Buffer, size = 7) => {
    const whole = Buffer.from(body);
    const count = Math.ceil(whole.length / size);
    return Readable.from(Array.from({ length: count }, (_, n) => whole.subarray(n * size, (n + 1) * size)));
  };
  const read = async (body: Readable, type: string | undefined = contentType) => {
    const upload = await readUpload(type, body);
    return { ...upload, content: await text(upload.file.stream) };
  };

  test.each([1, 2, 7, 64, 10_000])("is read in chunks of %d bytes", async (size) => {
    const upload = await read(inChunks(form(field, file), size));
    assert.deepEqual([...upload.fields], [["key", "attachments/é"]]);
    assert.equal(upload.file.field, "file");
    assert.equal(upload.file.name, "ä b.txt");
    assert.equal(upload.file.type, "text/plain");
    assert.equal(upload.content, "hello\r\n--world");
  });

  test("may bring the file without a name, or empty", async () => {
    const upload = await read(inChunks(form(field, part('name="file"', ""))));
    assert.equal(upload.file.name, "");
    assert.equal(upload.content, "");
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ['filename="a\\"b\\\\c;d.txt"',                          'a"b\\c;d.txt'],
    ['filename="C:\\folder\\name.txt"',                        "C:\\folder\\name.txt"],
    ["filename=plain.txt",                                    "plain.txt"],
    ["filename*=UTF-8''na%C3%AFve.txt; filename=\"naive.txt\"", "na\u00efve.txt"],
    ["filename*=UTF-8''%ff; filename=\"naive.txt\"",            "naive.txt"],
    ['x; FileName = "a"',                                     ""],
    ['\r\n filename="folded.txt"',                            "folded.txt"],
    ['filename=""',                                           ""],
  ])("with %j has a file named %j", async (parameter, name) => {
    assert.equal((await read(inChunks(form(part(`name="file"; ${parameter}`, "a"))))).file.name, name);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["no multipart at all",       "a=b",                                                    /multipart\/form-data/, "application/x-www-form-urlencoded"],
    ["no boundary",               form(file),                                               /boundary/,             "multipart/form-data; charset=utf-8"],
    ["no content type",           form(file),                                               /multipart\/form-data/, ""],
    ["an empty body",             "",                                                       /malformed/,            contentType],
    ["another boundary",          form(field, file).replaceAll(boundary, "other"),          /malformed/,            contentType],
    ["no file",                   form(field),                                              /no part with a file/,  contentType],
    ["a field behind the file",   form(file, field),                                        /last part/,            contentType],
    ["two files",                 form(field, file, file),                                  /only file/,            contentType],
    ["a part without a name",     form(part("x=y", "a"), file),                             /no usable name/,       contentType],
    ["a very long name",          form(part(`name="${"x".repeat(101)}"`, "a"), file),       /no usable name/,       contentType],
    ["a very long field",         form(part('name="a"', "x".repeat(70_000)), file),         /too long/,             contentType],
    ["very many fields",          form(...Array(51).fill(field), file),                     /more than 50/,         contentType],
    ["a part of another kind",    form(`--${boundary}\r\nA: b\r\n\r\n\r\n`, file),           /no usable name/,       contentType],
    ["a part without headers",    form(`--${boundary}\r\n\r\n`, file),                      /headers/,              contentType],
    ["a part without anything",   form(`--${boundary}\r\n`, file),                          /headers/,              contentType],
    ["a part cut in its headers", form(`${field.slice(0, 40)}\r\n`, file),                   /headers/,              contentType],
    ["very long headers",         form(part(`name="a"; x="${"x".repeat(20_000)}"`, "a"), file), /malformed/,          contentType],
    ["a longer boundary",         form(field, file).replace(boundary, `${boundary}x`),      /malformed/,            contentType],
    ["a hostile header",          form(part(`x${';a="\\"'.repeat(2700)}`, "a"), file),       /no usable name/,       contentType],
  ])("with %s is refused", async (_, body, message, type) => {
    for (const size of [5, 100_000]) {
      await assert.rejects(read(inChunks(body, size), type), (error) => error instanceof MalformedUpload && message.test(error.message));
    }
  });

  test("is refused wherever it is cut", async () => {
    const whole = Buffer.from(form(field, file));
    const cuts = Array.from({ length: whole.length - "--\r\n".length }, (_, cut) => whole.subarray(0, cut));
    for (const size of [3, 10_000]) {
      const results = await Promise.allSettled(cuts.map((cut) => read(inChunks(cut, size))));
      for (const result of results) assert.ok(result.status === "rejected" && result.reason instanceof MalformedUpload);
    }
  });

  test("either gives its file or an error, whatever arrives", async () => {
    const bit = fc.oneof(
      fc.constantFrom(
        field,
        file,
        `--${boundary}`,
        "--",
        "\r\n",
        "\r\n\r\n",
        'Content-Disposition: form-data; name="a"',
        "; filename=",
        "Content-Type: ",
        "; charset",
        "=",
        '"',
        "%ff",
        "''",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(bit, { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 80 }),
        async (bits, isEnded, size) => {
          const body = bits.join("") + (isEnded ? `\r\n--${boundary}--\r\n` : "");
          await read(inChunks(body, size)).catch((error) => assert.ok(error instanceof MalformedUpload, error));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("of a client that is gone already is refused", async () => {
    const gone = new Readable({ read() {} });
    gone.destroy();
    await assert.rejects(read(gone), MalformedUpload);
  });

  test("that breaks off is refused, before the file and in it", async () => {
    for (const beginning of [field, field + file.slice(0, -10)]) {
      const body = new Readable({ read() {} });
      body.push(beginning);
      setTimeout(() => body.destroy(), 5);
      await assert.rejects(read(body), MalformedUpload);
    }
  });

  test("goes from a real client into the store, and leaves nothing when too large or hung up", async () => {
    const folder = await mkdtemp(join(tmpdir(), "steward-upload-"));
    const store = new FolderStore(folder);
    let settled = () => {};
    const server = createServer(async (incoming, outgoing) => {
      try {
        const upload = await readUpload(incoming.headers["content-type"], incoming);
        if (upload.fields.get("key") === "forged") {
          upload.file.stream.destroy();
          throw new Error("forbidden");
        }
        const { size } = await store.write(
          buildFileKey(`a/${fileNamePlaceholder}`, upload.file.name),
          upload.file.stream,
          1_000_000,
        );
        outgoing.end(String(size));
      } catch (error) {
        outgoing.statusCode = error instanceof FileTooLarge ? 413 : 400;
        outgoing.end(String(error));
      }
      settled();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const send = async (size: number, key = "x") => {
      const body = new FormData();
      body.set("key", key);
      body.set("file", new File([Buffer.alloc(size, "x")], "big.bin"));
      return await fetch(address, { method: "POST", body });
    };
    try {
      assert.equal(await (await send(1_000_000)).text(), "1000000");
      await store.remove("a/big.bin");
      assert.equal((await send(5_000_000)).status, 413);
      assert.equal(await (await send(5_000_000, "forged")).text(), "Error: forbidden");
      assert.equal(
        await (await fetch(address, { method: "POST", body: "a" })).text().then((answer) => /multipart/.test(answer)),
        true,
      );

      const isSettled = new Promise<void>((resolve) => {
        settled = resolve;
      });
      const client = request(address, { method: "POST", headers: { "content-type": contentType } }).on(
        "error",
        () => {},
      );
      client.write(field + file.slice(0, -10) + "x".repeat(100_000));
      await once(server, "request"); // a call that never arrived would settle nothing
      client.destroy();
      await isSettled;
      assert.deepEqual(await readdir(folder), []);
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
