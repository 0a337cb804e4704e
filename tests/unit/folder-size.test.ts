import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

// A folder with more files than a reader can take in needs to be divided.

const root = join(import.meta.dirname, "../..");
const most = 25;
/** Lists that grow by nature: one file per language, schema change, record type, subject or module. */
const lists = /(^|\/)(languages|migrations)(\/|$)|^records\/|^docs\/(architecture|decisions)$/;
const ours = ["bench", "demo", "docs", "markup", "records", "server", "tests", "tools", "web"];

test(`no folder has more than ${most} files, apart from languages, migrations, record types, decisions and modules`, () => {
  const counts = new Map<string, number>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true, encoding: "utf8" })) {
    const folder = relative(root, entry.parentPath);
    if (!entry.isFile() || !ours.includes(folder.split("/")[0] as string) || folder.startsWith("web/dist")) continue;
    if (!lists.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(30);
  expect(Object.fromEntries([...counts].filter(([, count]) => count > most))).toEqual({});
});
