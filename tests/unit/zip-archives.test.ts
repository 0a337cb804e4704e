import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { describe, test } from "vitest";
import { writeZip, type ZipEntry, type ZipLimits } from "../../server/exchange/formats/zip.ts";
import { hasPython, runInPython } from "../support/processes/python.ts";

// Archives, read by another program.

const moment = new Date("2025-03-03T08:00:00Z");

async function* buildEntries(files: Iterable<[name: string, chunks: Iterable<Buffer>]>): AsyncGenerator<ZipEntry> {
  for (const [name, chunks] of files)
    yield {
      name,
      bytes: (async function* () {
        yield* chunks;
      })(),
    };
}

const writeArchive = (files: Iterable<[string, Iterable<Buffer>]>, limits?: ZipLimits): Promise<Buffer> =>
  buffer(writeZip(buildEntries(files), moment, limits));

const everything = `assert z.testzip() is None
print(json.dumps([[i.filename, z.read(i).decode(), i.extract_version] for i in z.infolist()]))`;

// Requires Python, which reads the archives with independent code.
if (hasPython)
  describe("an archive", () => {
    const files = [
      ["people.csv", "Name\nÅse\n"],
      ["empty.csv", ""],
      ["größe.csv", "x".repeat(5000)],
    ] as const;
    const buildFiles = () =>
      files.map(([name, text]): [string, Buffer[]] => [name, text === "" ? [] : [Buffer.from(text)]]);

    test("of small files uses the format without ZIP64", async () => {
      const bytes = await writeArchive(buildFiles());
      assert.deepEqual(
        runInPython(bytes, everything),
        files.map(([name, text]) => [name, text, 20]),
      );
      assert.equal(bytes.indexOf(Buffer.from([0x50, 0x4b, 6, 6])), -1);
    });

    test("stores sizes and offsets beyond four bytes, and the directory's length, in eight bytes", async () => {
      for (const size of [0, 1, 50, 1000, 5200]) {
        const read = runInPython(await writeArchive(buildFiles(), { size, count: 0xffff }), everything) as unknown[][];
        assert.deepEqual(
          read.map(([name, text]) => [name, text]),
          files.map((file) => [...file]),
          String(size),
        );
        assert.equal(read[2]?.[2], size > 5000 ? 20 : 45);
      }
    });

    test("stores a number of files beyond two bytes in eight bytes", async () => {
      const bytes = await writeArchive(buildFiles(), { size: 0xffff_ffff, count: files.length });
      assert.deepEqual(
        runInPython(bytes, everything),
        files.map(([name, text]) => [name, text, 20]),
      );
      assert.ok(bytes.includes(Buffer.from([0x50, 0x4b, 6, 6])));
      assert.equal(bytes.readUInt16LE(bytes.length - 12), 0xffff);
    });
  });

test("an archive whose reader stops early closes its files", async () => {
  let isClosed = false;
  const endless = function* () {
    try {
      for (;;) yield Buffer.alloc(100_000);
    } finally {
      isClosed = true;
    }
  };
  for await (const _ of writeZip(buildEntries([["endless.csv", endless()]]), moment)) if (_.length > 1000) break;
  assert.equal(isClosed, true);
});
