import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { fileNamePlaceholder } from "./file-name.ts";
import {
  buildFileKey,
  checkDownload,
  checkS3Form,
  checkUploadGrant,
  createS3Form,
  createUploadGrant,
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

  test("is also valid for another name in its folder, and for nothing else", () => {
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

describe("the form in S3 format", () => {
  const parts = (change: Record<string, string> = {}) => {
    const form = Object.entries({ ...createS3Form(owner), "Content-Type": "text/plain" });
    return new Map([...form.map(([name, value]) => [name, String(value)] as const), ...Object.entries(change)]);
  };

  test("contains the members that S3 clients repeat, under a policy", () => {
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

  test("is harmless for any input, and sanitizing it twice gives the same result", () => {
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
