import { mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { listDamagedFiles } from "../../server/embedded/backup/damaged-files.ts";
import { runCommandHere } from "../support/processes/command-line.ts";
import { type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";

// The backup and doctor both report and name a file that is missing or shorter than it was.

let the: ServerProcesses;
const sizes = [1, 2, 13, 4096, 70_000, 5];
const untouched = sizes.length - 1;
const buildKey = (index: number) => `attachments/widget-it/${index}/file ${index}.txt`;
const buildPath = (index: number) => join(the.env.DATA_DIR as string, "attachments", buildKey(index));

async function store(index: number): Promise<void> {
  await mkdir(dirname(buildPath(index)), { recursive: true });
  await writeFile(buildPath(index), Buffer.alloc(sizes[index] as number, 65));
}

beforeAll(async () => {
  the = await serverProcesses();
  for (const [index, size] of sizes.entries()) {
    await store(index);
    await the.sql.query(
      "INSERT INTO attachments (account_id, key, name, size, created_at) VALUES ('widget-it', $1, 'file', $2, now())",
      [buildKey(index), size],
    );
  }
  // An incomplete upload has a row without a file, which is no damage.
  await the.sql.query(
    "INSERT INTO attachments (account_id, key, name, size, created_at) VALUES ('widget-it', 'attachments/widget-it/unfinished', 'file', -1, now())",
  );
});

const backup = () => runCommandHere(["backup", join(the.env.DATA_DIR as string, "backup.tar.gz")], the.env);
const doctor = () => runCommandHere(["doctor"], { ...the.env, PORT: "1" });

test("an undamaged installation is backed up with exit code 0", async () => {
  const made = await backup();
  expect([made.code, made.out]).toEqual([0, expect.stringContaining(`${sizes.length} attachments`)]);
  expect((await doctor()).out).toMatch(/^ok {7}attachments: 6 files, all present/m);
});

const damages = [
  (index: number) => rm(buildPath(index)),
  (index: number) => truncate(buildPath(index), (sizes[index] as number) - 1),
  (index: number) => truncate(buildPath(index), 0),
];

// Each file except the last is damaged in each way once.
test.each([0, 1, 2])("both name files that are removed, shortened by a byte or emptied (turn %i)", async (turn) => {
  const damaged = [...sizes.keys()].filter((index) => index !== untouched);
  for (const index of damaged) await damages[(index + turn) % damages.length]?.(index);
  const [made, found] = [await backup(), await doctor()];
  for (const index of damaged) await store(index);
  expect([made.code, found.code]).toEqual([1, 1]);
  expect(found.out).toMatch(/^PROBLEM {2}attachments: 5 of 6 files are missing or damaged/m);
  for (const index of sizes.keys()) {
    expect(made.err.includes(`${buildKey(index)} (`)).toBe(index !== untouched);
    expect(found.out.includes(`${buildKey(index)} (`)).toBe(index !== untouched);
  }
});

test("an attachment deleted with its file during the backup is no damage", async () => {
  const expected = new Map([["attachments/widget-it/deleted", 5]]);
  expect(await listDamagedFiles(the.sql, expected, new Map())).toEqual([]);
  expect((await backup()).code).toBe(0);
});
