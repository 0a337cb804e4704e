import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientBase } from "pg";
import { type Configuration, getFilesLocation } from "../base/configuration.ts";

// D-681. Whether the folder of this machine is the one in which the instance stores its files. The folder has a mark that the
// database knows: another machine with a folder of its own would not find what was uploaded to the first one.

/** The name of the mark; it is no file of the store. */
export const folderMark = ".steward-files";
const factName = "files_folder";

const readMark = (folder: string): Promise<string | null> =>
  readFile(join(folder, folderMark), "utf8").then(
    (text) => text.trim(),
    () => null,
  );

async function loadFact(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM instance_facts WHERE name = $1", [
    factName,
  ]);
  return rows[0]?.value ?? null;
}

async function ensureMark(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Of two processes that start together one is first.
  const mark = `${randomBytes(16).toString("hex")}\n`;
  await writeFile(join(folder, folderMark), mark, { flag: "wx", mode: 0o600 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  return (await readMark(folder)) as string;
}

/** The first start makes its folder that of the instance, and so does one that moves files to it. False: another one is. */
export async function claimFilesFolder(client: ClientBase, configuration: Configuration): Promise<boolean> {
  const location = getFilesLocation(configuration);
  if (location.kind !== "folder") {
    await client.query("DELETE FROM instance_facts WHERE name = $1", [factName]);
    return true;
  }
  const isMoving = configuration.filesFallback !== null;
  if (!isMoving && (await loadFact(client)) !== null) return isFilesFolder(client, configuration);
  await client.query(
    `INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO ${isMoving ? "UPDATE SET value = excluded.value" : "NOTHING"}`,
    [factName, await ensureMark(location.path)],
  );
  return isFilesFolder(client, configuration);
}

/** True also before the first start, and where files are in a bucket. */
export async function isFilesFolder(client: ClientBase, configuration: Configuration): Promise<boolean> {
  const location = getFilesLocation(configuration);
  if (location.kind !== "folder") return true;
  const fact = await loadFact(client);
  return fact === null || fact === (await readMark(location.path));
}

/** The problem, and how to fix it. */
export const describeForeignFolder = (configuration: Configuration): string => {
  const location = getFilesLocation(configuration);
  const path = location.kind === "folder" ? location.path : "";
  return `${path} is not the folder in which this instance stores its files: another machine, or a server with another DATA_DIR, uses the same database. Attachments and imports that one of them receives are missing on the other: set FILES_URL on all of them to a bucket, or to a folder that they share. If the files were moved to this folder, move ${folderMark} as well`;
};
