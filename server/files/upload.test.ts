import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, test } from "vitest";
import { fileNamePlaceholder } from "./file-name.ts";
import { buildFileKey, FileTooLarge, FolderStore, MalformedUpload, readUpload } from "./index.ts";

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

describe("an upload", () => {
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
});

describe("an upload that is malformed", () => {
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

  test("returns a file or an error for any input", async () => {
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

  test("of a disconnected client is refused", async () => {
    const gone = new Readable({ read() {} });
    gone.destroy();
    await assert.rejects(read(gone), MalformedUpload);
  });

  test("that is interrupted is refused, before the file and in it", async () => {
    for (const beginning of [field, field + file.slice(0, -10)]) {
      const body = new Readable({ read() {} });
      body.push(beginning);
      setTimeout(() => body.destroy(), 5);
      await assert.rejects(read(body), MalformedUpload);
    }
  });
});

describe("an upload over a connection", () => {
  test("goes from a real client into the store, and leaves nothing when it is too large or interrupted", async () => {
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
