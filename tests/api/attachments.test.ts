import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, test } from "vitest";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import { assembleService } from "../../server/service.ts";
import { specimenRules, specimens } from "../support/records/specimen.ts";
import { keepDraft } from "../support/records/upload.ts";
import { people, tokenFor } from "../support/seed.ts";
import { type Client, createClient, type Reply, type World, world } from "../support/world.ts";

// CV21 to CV23, CO23, CO24

let the: World;
let me: Client;
beforeAll(async () => {
  the = await world();
  me = the.as("administrator");
});

type Parts = Record<string, string | number>;
type Options = { name?: string; content?: string | Uint8Array<ArrayBuffer>; by?: Client; change?: Parts };

const storage = async (by = me) => (await by.get("/attachments/storage")).body;

async function form(provider: "local" | "s3", options: Options): Promise<FormData> {
  const granted = await storage(options.by);
  const parts = new FormData();
  parts.set("Content-Type", "text/plain");
  for (const [name, value] of Object.entries({ ...granted[provider], ...options.change }))
    parts.set(name, String(value));
  parts.set("file", new Blob([options.content ?? "hello"]), options.name ?? "a.txt");
  return parts;
}

const local = async (options: Options = {}) => (options.by ?? me).post("/attachments", await form("local", options));
const s3 = async (options: Options = {}) => the.nobody.post("/attachments", await form("s3", options));
/** Uploads a file and returns its key. */
const upload = async (options: Options = {}): Promise<string> => (await local(options)).body.key;

const aSpecimen = async (...long_attachments: object[]) => {
  const reply = await me.post("/specimens", { subject: "holder", long: "text", long_attachments });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const download = (uri: string) => fetch(uri).then(async (reply) => ({ reply, text: await reply.text() }));
const keyPattern = /^attachments\/widget-it\/2025\/03\/03\/1\/\d+-[0-9a-f]{64}\//;

describe("GET /attachments/storage", () => {
  test("CV21, CO23: returns where and how to upload, for local and s3 clients", async () => {
    const { status, body } = await me.get("/attachments/storage");
    assert.equal(status, 200);
    assert.equal(body.size_limit, 20_971_520);
    assert.deepEqual(body.allowed_extensions, []);
    assert.equal(body.provider, "local");
    assert.equal(body.upload_uri, `${the.base}/attachments`);
    assert.match(body.local.key, new RegExp(`${keyPattern.source}\\$\\{filename\\}$`));
    for (const name of ["X-Xurrent-expiration", "X-Xurrent-signature", "x-4me-expiration", "x-4me-signature"])
      assert.equal(typeof body.local[name], "string", name);
    assert.match(body.s3.key, /\$\{filename\}$/);
    assert.equal(body.s3.success_action_status, 201);
    for (const name of ["acl", "policy", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature"])
      assert.equal(typeof body.s3[name], "string", name);
    assert.notEqual((await storage()).local.key, body.local.key, "every grant is a place of its own");
  });

  test("requires credentials", async () => {
    assert.equal((await the.nobody.get("/attachments/storage")).status, 401);
  });
});

describe("an upload", () => {
  test("CO24: by a local client returns 200 with the key", async () => {
    const { status, body, headers } = await local({ name: "report.pdf" });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["key"]);
    assert.match(body.key, new RegExp(`${keyPattern.source}report\\.pdf$`));
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  });

  test("CO24: by an s3 client without credentials returns 201 with XML", async () => {
    const { status, text, headers } = await s3({ name: "a & <b>.txt" });
    assert.equal(status, 201);
    assert.match(headers.get("content-type") ?? "", /^application\/xml/);
    assert.match(text, /<PostResponse>.*<Key>attachments\/[^<]*\/a &amp; &lt;b&gt;\.txt<\/Key>.*<\/PostResponse>/s);
    for (const name of ["limit", "remaining", "reset"]) assert.ok(headers.get(`x-ratelimit-${name}`));
  });

  test("may have the file name in the key", async () => {
    const key = (await storage()).local.key;
    const change = { key: key.replace("$" + "{filename}", "chosen.txt") };
    const reply = await local({ change });
    assert.equal(reply.status, 403, "the key belongs to a different grant than the signature");
  });

  // biome-ignore format: a table keeps its columns
  test.each<[string, Parts]>([
    ["another folder",      { key: "attachments/widget-it/x/$" + "{filename}" }],
    ["a folder above",      { key: "../../../etc/passwd" }],
    ["another signature",   { "X-Xurrent-signature": "0".repeat(64), "x-4me-signature": "0".repeat(64) }],
    ["no signature",        { "X-Xurrent-signature": "", "x-4me-signature": "" }],
    ["another expiration",  { "X-Xurrent-expiration": "2099-01-01T00:00:00.000Z", "x-4me-expiration": "2099-01-01T00:00:00.000Z" }],
  ])("with %s is rejected with 403", async (_, change) => {
    const { status, body } = await local({ change });
    assert.deepEqual([status, body], [403, { message: "Forbidden" }]);
  });

  // biome-ignore format: a table keeps its columns
  test.each<[string, Parts]>([
    ["another policy",    { policy: Buffer.from('{"expiration":"2099-01-01T00:00:00Z","conditions":[]}').toString("base64") }],
    ["another signature", { "x-amz-signature": "0".repeat(64) }],
    ["another key",       { key: "attachments/stranger/x" }],
    ["another acl",       { acl: "public-read" }],
  ])("of s3 with %s is rejected with 403", async (_, change) => {
    assert.equal((await s3({ change })).status, 403);
  });

  test("with another person's grant is rejected with 403, without credentials with 401", async () => {
    const parts = await form("local", {});
    assert.equal((await the.as("manager").post("/attachments", parts)).status, 403);
    assert.equal((await the.nobody.post("/attachments", await form("local", {}))).status, 401);
    const bad = await the.withToken("x").post("/attachments", await form("s3", {}));
    assert.equal(bad.status, 401, "invalid credentials are never ignored");
  });

  test("CV21: after ten minutes is rejected with 403", async () => {
    const early = await world();
    const by = early.as("administrator");
    const forms = [await form("local", { by }), await form("local", { by }), await form("s3", { by })] as const;
    await early.clock.pass(599);
    assert.equal((await by.post("/attachments", forms[0])).status, 200);
    await early.clock.pass(1);
    assert.equal((await by.post("/attachments", forms[1])).status, 403);
    assert.equal((await early.nobody.post("/attachments", forms[2])).status, 403);
  });

  test("D-751: is kept while a draft of its owner names it, otherwise for a day", async () => {
    const early = await world();
    const by = early.as("administrator");
    const upload = async (): Promise<string> => (await by.post("/attachments", await form("local", { by }))).body.key;
    const [drafted, unused, stranger] = [await upload(), await upload(), await upload()];
    await keepDraft(early, people.administrator.id, drafted);
    await keepDraft(early, people.manager.id, stranger);
    const claim = async (key: string) =>
      (await by.post("/specimens", { subject: "x", long_attachments: [{ key }] })).status;
    await early.clock.pass(86_400);
    await early.clock.pass(86_400);
    assert.deepEqual([await claim(drafted), await claim(unused), await claim(stranger)], [200, 422, 422]);
    const again = await upload();
    await keepDraft(early, people.administrator.id, again);
    await early.clock.pass(86_400);
    await early.sql("DELETE FROM kept_items WHERE kind = 'draft'");
    await early.clock.pass(86_400);
    assert.equal(await claim(again), 422);
  });

  test("accepts 20 MB, rejects one byte more with 413 and stores nothing of it", async () => {
    const fits = await local({ content: new Uint8Array(20_971_520), name: "large.bin" });
    assert.equal(fits.status, 200);
    const [row] = (await aSpecimen({ key: fits.body.key })).attachments;
    assert.equal(row.size, 20_971_520);
    const before = (await files()).length;
    const tooLarge = await local({ content: new Uint8Array(20_971_521) });
    assert.equal(tooLarge.status, 413, tooLarge.text);
    assert.deepEqual(tooLarge.body, { message: "Request Entity Too Large" });
    assert.equal((await files()).length, before);
  });

  test("with one grant and the same file name is accepted only once, even for concurrent uploads", async () => {
    const granted = await storage();
    const parts = () => {
      const again = new FormData();
      for (const [name, value] of Object.entries(granted.local as Parts)) again.set(name, String(value));
      again.set("file", new Blob([`content ${Math.random()}`]), "same.txt");
      return again;
    };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await me.post("/attachments", parts())).status),
    );
    assert.deepEqual(statuses.sort(), [200, 403, 403, 403, 403, 403, 403, 403]);
    assert.equal((await me.post("/attachments", parts())).status, 403);
  });

  // biome-ignore format: a table keeps its columns
  test.each<[string, string]>([
    ["../../../../etc/passwd",    "passwd"],
    ["C:\\fakepath\\a b.txt",     "a b.txt"],
    ["..",                        "file"],
    [".hidden",                   "hidden"],
    ["a\u0000b.txt",              "ab.txt"],
    ["\u202egpj.exe",             "gpj.exe"],
    ["ünïcode 😀 % ? # & ' \" <>.txt", "ünïcode 😀 % ? # & ' %22 <>.txt"],
    [`${"é".repeat(200)}.txt`,    `${"é".repeat(125)}.txt`],
    ["$&$1.txt",                  "$&$1.txt"],
    ["CON",                       "CON"],
    [" ",                         "file"],
  ])("of a file named %j stays in its folder and can be downloaded", async (name, kept) => {
    const key = await upload({ name, content: "content" });
    assert.match(key, keyPattern);
    assert.equal(key.split("/").length, 8);
    const [entry] = (await aSpecimen({ key })).attachments;
    assert.equal(entry.name, kept);
    const { reply, text } = await download(entry.uri);
    assert.deepEqual([reply.status, text], [200, "content"]);
    assert.match(reply.headers.get("content-disposition") ?? "", /^attachment; filename\*=UTF-8''[\w.!~%$&+-]+$/);
  });

  // biome-ignore format: a table keeps its columns
  test.each<[string, unknown, Record<string, string>]>([
    ["no body",             undefined,                        {}],
    ["JSON",                { file: "x" },                    {}],
    ["an empty form",       new FormData(),                   {}],
    ["half a form",         '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\nhalf', { "Content-Type": "multipart/form-data; boundary=b" }],
    ["no boundary",         "--b--",                          { "Content-Type": "multipart/form-data" }],
  ])("with %s is rejected with 400", async (_, body, headers) => {
    for (const by of [me, the.nobody]) {
      const { status, body: answer } = await by.post("/attachments", body, headers);
      assert.equal(status, 400);
      assert.equal(typeof answer.message, "string");
    }
  });
});

const files = async () =>
  (
    await readdir(join(the.service.api.configuration.dataDirectory, "attachments"), {
      recursive: true,
      withFileTypes: true,
    })
  )
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe("linking", () => {
  test("CV22: shows the file with the record", async () => {
    const key = await upload({ name: "a b.txt" });
    const { attachments, id } = await aSpecimen({ key, filesize: "5", inline: true });
    assert.equal(attachments.length, 1);
    const { uri, ...rest } = attachments[0];
    assert.deepEqual(rest, { name: "a b.txt", key, inline: true, size: 5, created_at: "2025-03-03T09:00:00+01:00" });
    assert.ok(uri.startsWith(`${the.url}/attachments/`), uri);
    assert.deepEqual((await me.get(`/specimens/${id}`)).body.attachments, attachments);
  });

  test("works for a person's information, with a file uploaded by an s3 client", async () => {
    const administrator = the.as("administrator");
    const { text } = await s3({ by: administrator });
    const key = /<Key>(.*)<\/Key>/.exec(text)?.[1];
    const { status, body } = await administrator.patch("/people/1", {
      information: "x",
      information_attachments: [{ key }],
    });
    assert.equal(status, 200);
    assert.deepEqual(
      body.attachments.map((entry: { key: string; inline: boolean }) => [entry.key, entry.inline]),
      [[key, false]],
    );
  });

  // biome-ignore format: a table keeps its columns
  test.each<[string, () => unknown]>([
    ["an unknown key",                    () => [{ key: "attachments/widget-it/nothing" }]],
    ["no key",                            () => [{ inline: true }]],
    ["a key that isn't text",             () => [{ key: { $ne: 1 } }]],
    ["a key with NUL",                    () => [{ key: "a\0" }]],
    ["an entry that isn't an object",     () => ["x", null]],
    ["a key of another account",          async () => [{ key: await upload({ by: the.as("stranger") }) }]],
    ["a key of another record",           async () => { const key = await upload(); await aSpecimen({ key }); return [{ key }]; }],
    ["the removal of an unlinked file",   async () => [{ key: await upload(), _destroy: true }]],
  ])("%s is rejected with 422", async (_, list) => {
    const { status, body } = await me.post("/specimens", { subject: "x", long_attachments: await list() });
    assert.equal(status, 422);
    assert.deepEqual(body.errors, [["long_attachments", "Long attachments is not a known attachment"]]);
  });

  test("CV22: is removed with _destroy", async () => {
    const [one, other] = [await upload({ name: "one" }), await upload({ name: "other" })];
    const { id } = await aSpecimen({ key: one }, { key: other });
    const { status, body } = await me.patch(`/specimens/${id}`, { long_attachments: [{ key: one, _destroy: true }] });
    assert.equal(status, 200);
    assert.deepEqual(
      body.attachments.map((entry: { key: string }) => entry.key),
      [other],
    );
    assert.equal((await download(body.attachments[0].uri)).reply.status, 200);
    assert.equal((await me.patch(`/specimens/${id}`, { long_attachments: [{ key: one }] })).status, 422, "it is gone");
  });

  test("a failed change links no file", async () => {
    const key = await upload();
    assert.equal((await me.post("/specimens", { long_attachments: [{ key }] })).status, 422);
    const { attachments } = await aSpecimen({ key });
    assert.equal(attachments.length, 1, "the file is still unlinked");
  });
});

describe("a download", () => {
  test("ignores credentials and is never shown as a page", async () => {
    const key = await upload({ name: "page.html", content: "<script>alert(1)</script>" });
    const [{ uri }] = (await aSpecimen({ key })).attachments;
    for (const headers of [{}, { Authorization: `Bearer ${tokenFor("stranger")}` }, { Authorization: "Bearer x" }]) {
      const reply = await fetch(uri, { headers: headers as Record<string, string> });
      assert.equal(reply.status, 200);
      assert.equal(await reply.text(), "<script>alert(1)</script>");
      assert.equal(reply.headers.get("content-type"), "application/octet-stream");
      assert.match(reply.headers.get("content-disposition") ?? "", /^attachment/);
      assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
      assert.match(reply.headers.get("content-security-policy") ?? "", /sandbox/);
    }
  });

  test("with a modified URL is rejected with 403", async () => {
    const [{ uri }] = (await aSpecimen({ key: await upload() })).attachments;
    const [{ uri: other }] = (await aSpecimen({ key: await upload() })).attachments;
    const query = uri.slice(uri.indexOf("?"));
    const changed = [
      uri.replace(/signature=./, "signature=x"),
      uri.replace(/expires=\d+/, "expires=99999999999"),
      uri.slice(0, uri.indexOf("?")),
      `${uri}&signature=x`,
      `${uri}&expires=1`,
      other.slice(0, other.indexOf("?")) + query,
      `${the.url}/attachments/..%2f..%2f..%2fetc%2fpasswd${query}`,
      `${the.url}/attachments/${query}`,
    ];
    for (const address of changed) {
      const { reply, text } = await download(address);
      assert.equal(reply.status, 403, address);
      assert.equal(reply.headers.get("content-type"), "application/json; charset=utf-8");
      assert.deepEqual(JSON.parse(text), { message: "Forbidden" });
    }
    assert.equal((await download(`${the.url}/attachments/%00${query}`)).reply.status, 404, "nothing has such a name");
  });

  test("CV22: works for 24 hours", async () => {
    const early = await world();
    const by = early.as("administrator");
    const { key } = (await by.post("/attachments", await form("local", { by }))).body;
    const { body } = await by.post("/specimens", { subject: "x", long_attachments: [{ key }] });
    const [{ uri }] = body.attachments;
    await early.clock.pass(86_399);
    assert.equal((await download(uri)).reply.status, 200);
    await early.clock.pass(1);
    assert.equal((await download(uri)).reply.status, 403);
    const [fresh] = (await by.get(`/specimens/${body.id}`)).body.attachments;
    assert.equal((await download(fresh.uri)).reply.status, 200);
  });

  test("works after a restart of the server", async () => {
    const { id, attachments } = await aSpecimen({ key: await upload({ content: "kept" }) });
    const configuration = { ...readConfiguration({ RATE_LIMIT: "0", RATE_BURST: "0" }), port: 0 };
    const { dataDirectory } = the.service.api.configuration;
    const again = await assembleService({
      configuration: { ...configuration, dataDirectory },
      databaseUrl: the.databaseUrl,
      clock: the.clock,
      log: createJsonLog(() => {}),
      types: specimens,
      rules: specimenRules,
    });
    const url = `http://127.0.0.1:${await again.start()}`;
    try {
      const { body } = await createClient(`${url}/v1`, { Authorization: `Bearer ${tokenFor("administrator")}` }).get(
        `/specimens/${id}`,
      );
      assert.equal((await download(body.attachments[0].uri)).text, "kept");
      assert.equal((await download(attachments[0].uri.replace(the.url, url))).text, "kept", "old addresses too");
    } finally {
      await again.stop();
    }
  });
});

describe("POST /<collection>/:id/avatar", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const send = (
    bytes: Uint8Array<ArrayBuffer>,
    by = the.as("administrator"),
    path = "/people/1/avatar",
  ): Promise<Reply> => {
    const parts = new FormData();
    parts.set("avatar_file_name", "me.png");
    parts.set("avatar", new Blob([bytes]), "me.png");
    return by.post(path, parts);
  };

  test("CV23: sets the picture, whatever its file name", async () => {
    const { status, body } = await send(png);
    assert.equal(status, 200);
    assert.equal(body.picture_uri, `data:image/png;base64,${Buffer.from(png).toString("base64")}`);
    assert.equal((await the.as("administrator").get("/people/1")).body.picture_uri, body.picture_uri);
  });

  test("rejects files that aren't pictures, files that are too large, and callers without permission", async () => {
    const { status, body } = await send(new Uint8Array(Buffer.from("<svg onload=alert(1)>")));
    assert.deepEqual([status, body.errors[0][0]], [422, "picture_uri"]);
    assert.equal((await send(new Uint8Array([...png, ...new Uint8Array(700_000)]))).status, 413);
    assert.equal((await send(png, the.as("requester"))).status, 403);
    assert.equal((await send(png, the.nobody)).status, 401);
    assert.equal((await send(png, undefined, "/people/999/avatar")).status, 404);
    assert.equal((await the.as("administrator").post("/people/1/avatar", { avatar: "x" })).status, 400);
  });
});

test("no call of these tests caused a server error", () => {
  assert.deepEqual(
    the.log.filter((line) => JSON.parse(line).level === "error"),
    [],
  );
});
