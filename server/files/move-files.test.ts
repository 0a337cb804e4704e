import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "vitest";
import { atFileEnd } from "../../tests/support/cleanup.ts";
import { FallbackStore } from "./fallback-store.ts";
import { type FileStore, FolderStore, moveFiles } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "steward-moves-"));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));

let number = 0;
function stores(): { from: FolderStore; to: FolderStore; both: FallbackStore } {
  const place = join(folder, String(++number));
  const [from, to] = [new FolderStore(join(place, "from")), new FolderStore(join(place, "to"))];
  return { from, to, both: new FallbackStore(to, from) };
}
const put = (store: FileStore, key: string, content: string) =>
  store.write(key, Readable.from([Buffer.from(content)], { objectMode: false }), 1000);
const get = async (store: FileStore, key: string) => text((await store.read(key)).stream);
const keys = async (store: FileStore) => {
  const found: string[] = [];
  for await (const { key } of store.list("")) found.push(key);
  return found;
};
const quiet = { isKept: false, report: () => {} };

test("files are moved, and those moved by an earlier run are not sent again", async () => {
  const { from, to, both } = stores();
  for (const name of ["1", "2", "3"]) await put(from, `a/${name}`, name);
  await put(to, "a/2", "2");
  await put(to, "a/3", "half");
  assert.deepEqual(await moveFiles({ from, to, ...quiet, isKept: true }), { moved: 2, present: 1, gone: 0, bytes: 2 });
  assert.deepEqual(await keys(from), ["a/1", "a/2", "a/3"]);
  assert.deepEqual(await moveFiles({ from, to, ...quiet }), { moved: 0, present: 3, gone: 0, bytes: 0 });
  assert.deepEqual([await keys(from), await keys(to)], [[], ["a/1", "a/2", "a/3"]]);
  assert.equal(await get(both, "a/3"), "3");
});

test("while files are moved, both places are read, written and emptied as one", async () => {
  const { from, to, both } = stores();
  await put(from, "a/old", "old");
  await put(both, "a/new", "new");
  assert.deepEqual([await keys(from), await keys(to)], [["a/old"], ["a/new"]]);
  assert.deepEqual([await get(both, "a/old"), await get(both, "a/new")], ["old", "new"]);
  assert.deepEqual([await both.getSize("a/old"), await both.getSize("a/none")], [3, null]);
  await both.copy("a/old", "b/copy", 100);
  assert.equal(await get(to, "b/copy"), "old");
  assert.deepEqual(await keys(both), ["a/old", "a/new", "b/copy"]);
  await both.removeFolder("a");
  await both.remove("b/copy");
  assert.deepEqual([await keys(from), await keys(to)], [[], []]);
});

test("a file that the server deletes while it is moved stays deleted", async () => {
  const { from, to, both } = stores();
  await put(from, "a/doomed", "doomed");
  class Slow extends FolderStore {
    override async write(...given: Parameters<FolderStore["write"]>) {
      await both.remove("a/doomed"); // between reading the one and writing the other
      return super.write(...given);
    }
  }
  const slow = new Slow(join(folder, String(number), "to"));
  assert.deepEqual(await moveFiles({ from, to: slow, ...quiet }), { moved: 0, present: 0, gone: 1, bytes: 0 });
  assert.deepEqual([await keys(from), await keys(to)], [[], []]);
});

test("a file that arrives with different content is not removed from the old place", async () => {
  const { from, to } = stores();
  await put(from, "a/1", "right");
  class Faulty extends FolderStore {
    override write(key: string) {
      return put(to, key, "wrong") as ReturnType<FolderStore["write"]>;
    }
  }
  const faulty = new Faulty(join(folder, String(number), "to"));
  await assert.rejects(moveFiles({ from, to: faulty, ...quiet }), /another checksum/);
  assert.equal(await get(from, "a/1"), "right");
});
