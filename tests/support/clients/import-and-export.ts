import assert from "node:assert/strict";
import { inflateRawSync } from "node:zlib";
import { parseCsv } from "../../../server/exchange/formats/csv.ts";
import { longestWait } from "../waiting.ts";
import type { Client, Reply, World } from "../world.ts";

// Imports and exports files as an API client does.

/** Finds the call that stops an import while it waits for the current batch. */
export const waitsForStop =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%pg_advisory_xact_lock%'";

export function postImport(
  by: Client,
  type: string,
  file: string | Buffer,
  more: Record<string, string> = {},
  name = "x.csv",
): Promise<Reply> {
  const form = new FormData();
  form.set("type", type);
  for (const [part, value] of Object.entries(more)) form.set(part, value);
  form.set("file", new Blob([file as never]), name);
  return by.post("/import", form);
}

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
async function waitForEnd(by: Client, path: string): Promise<any> {
  // The server responds within three seconds. On a busy machine, thousands of rows may take longer than one `longestWait`.
  for (const end = Date.now() + 2 * longestWait; Date.now() < end; ) {
    const { body, status } = await by.get(path);
    assert.equal(status, 200);
    if (body.state !== "queued" && body.state !== "processing") return body;
  }
  assert.fail("it did not end");
}

/** the results of an import without changes */
export const emptyImportResult = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 };

export async function runImport(by: Client, type: string, file: string | Buffer, more: Record<string, string> = {}) {
  const answer = await postImport(by, type, file, more);
  assert.equal(answer.status, 200, answer.text);
  const state = await waitForEnd(by, `/import/${answer.body.token}`);
  const log = await (await fetch(state.logfile)).text();
  return { ...state, log };
}

export async function runExport(by: Client, type: string, more: Record<string, unknown> = {}) {
  const answer = await by.post("/export", { type, ...more });
  assert.equal(answer.status, 200, answer.text);
  const state = await waitForEnd(by, `/export/${answer.body.token}`);
  assert.equal(state.state, "done", JSON.stringify(state));
  const file = await fetch(state.url);
  assert.equal(file.status, 200);
  return {
    state,
    bytes: Buffer.from(await file.arrayBuffer()),
    name: decodeURIComponent(state.url.split("?")[0].split("/").at(-1)),
  };
}

/** Parses CSV into objects with the headers as keys. */
export async function parseCsvTable(text: string): Promise<Record<string, string>[]> {
  const rows: string[][] = [];
  const whole = async function* () {
    yield text;
  };
  for await (const { cells } of parseCsv(whole())) rows.push(cells);
  const [headers = [], ...rest] = rows;
  return rest.map((cells) => Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ""])));
}

export const exportAsTable = async (by: Client, type: string, more: Record<string, unknown> = {}) =>
  parseCsvTable((await runExport(by, type, more)).bytes.toString());

/** Reads the files of an archive through its central directory, as unpackers do. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, title, local] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.toString("utf8", at + 46, at + 46 + title);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files.set(name, inflateRawSync(bytes.subarray(from, from + packed)));
    at += 46 + title;
  }
  return files;
}

export const countEvents = async (the: World, event: string): Promise<number> =>
  Number((await the.sql<{ count: string }>("SELECT count(*) FROM events WHERE event = $1", [event]))[0]?.count);
